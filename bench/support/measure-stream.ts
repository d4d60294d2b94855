// What it costs to ship the log behind each commit: accepting on a server that does, and on one that does not, in turn.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { figuresOf, inTurn } from "./in-turn.ts";
import type { Figure } from "./report.ts";

/** A pass of each is short, and what else the machine does shakes it. */
const PASSES_MORE = 3;
const GOAL = { ratioAtLeast: 0.95 };

export async function measureStream(bench: Bench): Promise<Figure[]> {
  const [streaming, plain] = ["with", "without"].map((name) => join(bench.dir, `stream-${name}`)) as [string, string];
  for (const dir of [streaming, plain]) mkdirSync(dir);
  const env = { POSTHORN_BACKUP_STREAM: join(bench.dir, "stream-place") };
  const passes = { ...bench, passes: bench.passes * PASSES_MORE };
  const rates = await inTurn(passes, { dir: streaming, env }, { dir: plain, env: {} });
  return figuresOf("accept, 64 connections, with backup.stream", rates, GOAL, "limit: without it");
}
