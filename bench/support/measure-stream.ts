// What it costs to ship the log behind each commit: accepting on a server that does, and on one that does not, in turn.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { Load } from "./load.ts";
import type { Figure } from "./report.ts";
import { ServerProcess } from "./server-process.ts";
import { median, medianRatio } from "./statistics.ts";

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 0.5;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A pass of each is short, and what else the machine does shakes it. */
const PASSES_MORE = 3;
const LEAST_RATIO = 0.95;

export async function measureStream(bench: Bench): Promise<Figure[]> {
  const [with_, without] = ["with", "without"].map((name) => join(bench.dir, `stream-${name}`)) as [string, string];
  for (const dir of [with_, without]) mkdirSync(dir);
  const env = { POSTHORN_BACKUP_STREAM: join(bench.dir, "stream-place") };
  await using streaming = await ServerProcess.start(bench.command, with_, env);
  await using plain = await ServerProcess.start(bench.command, without, {});
  await using streamingLoad = new Load(streaming);
  await using plainLoad = new Load(plain);
  const [ours, limits]: [number[], number[]] = [[], []];
  for (let pass = 0; pass < bench.passes * PASSES_MORE; pass++) {
    ours.push(await rate(streamingLoad, bench.seconds));
    limits.push(await rate(plainLoad, bench.seconds));
  }
  const figure = { ours: median(ours), limit: median(limits), ratio: medianRatio(ours, limits) };
  return [
    {
      ...{ name: "accept, 64 connections, with backup.stream", unit: "sends/s", ...figure },
      goal: { ratioAtLeast: LEAST_RATIO },
      note: "limit: without it",
    },
  ];
}

async function rate(load: Load, seconds: number): Promise<number> {
  const sendAt = new Date(Date.now() + DAY_MS).toISOString();
  const terms = { connections: CONNECTIONS, recipients: 1, seconds, sendAt, warmUpSeconds: WARM_UP_SECONDS };
  return (await load.run(terms)).perSecond;
}
