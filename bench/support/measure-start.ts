// From the start of the process to its first answer, and what it holds in memory before it has done anything.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Figure } from "./report.ts";
import { ServerProcess } from "./server-process.ts";
import { median } from "./statistics.ts";
import { stock } from "./stock.ts";

const STARTS = 5;
const QUIET_MS = 1_000;
const MILLION = 1_000_000;

export async function measureStart(bench: Bench): Promise<Figure[]> {
  const dir = join(bench.dir, "start");
  mkdirSync(dir);
  const first = await oneStart(bench, dir);
  const startMs = await startsMs(bench, dir);
  return [
    {
      name: "start to first answer",
      unit: "ms",
      ours: median(startMs),
      goal: { atMost: 200 },
      note: `empty directory ${first.startMs.toFixed(0)} ms`,
    },
    { name: "memory, idle", unit: "MB", ours: first.idleMb, goal: { atMost: 90 } },
  ];
}

/** The same with a million mails sent before. */
export async function measureBigStart(bench: Bench): Promise<Figure[]> {
  const dir = join(bench.dir, "big");
  mkdirSync(dir);
  await oneStart(bench, dir);
  stock(dir, MILLION, "SENT");
  const startMs = await startsMs(bench, dir);
  return [
    { name: "start to first answer, a million mails stored", unit: "ms", ours: median(startMs), goal: { atMost: 400 } },
  ];
}

async function startsMs(bench: Bench, dir: string): Promise<number[]> {
  const all: number[] = [];
  while (all.length < STARTS) {
    await using server = await ServerProcess.start(bench.command, dir, {});
    all.push(server.startMs);
  }
  return all;
}

async function oneStart(bench: Bench, dir: string): Promise<{ startMs: number; idleMb: number }> {
  await using server = await ServerProcess.start(bench.command, dir, {});
  await Bun.sleep(QUIET_MS);
  return { startMs: server.startMs, idleMb: server.memory.nowMb };
}
