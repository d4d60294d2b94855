// Accepting: POST /v1/send answered after its commit, while nothing is sent, because every mail is meant for tomorrow.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BareAcceptResult, BareAcceptTask } from "./bare-accept.ts";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import type { LoadResult } from "./client.ts";
import { probed } from "./health-probe.ts";
import { Load } from "./load.ts";
import type { Figure, Goal } from "./report.ts";
import { ServerProcess } from "./server-process.ts";
import { PAGE_BYTES } from "../../src/store/sqlite/connection.ts";
import { median, medianRatio, type Latencies } from "./statistics.ts";

type Level = { readonly connections: number; readonly goal: Goal; readonly worstP99Ms: number };
type Pass = {
  readonly ours: LoadResult;
  readonly bare: BareAcceptResult;
  readonly delayMs: Latencies;
  readonly writtenBytes: number;
};
type Beside = { readonly server: ServerProcess; readonly bare: Child; readonly load: Load };

const LEVELS: readonly Level[] = [
  { connections: 1, goal: { atLeast: 1_400 }, worstP99Ms: 5 },
  { connections: 16, goal: { atLeast: 8_500 }, worstP99Ms: 15 },
  { connections: 64, goal: { atLeast: 12_000, ratioAtLeast: 0.7 }, worstP99Ms: 30 },
];
const LONGEST_DELAY_MS = 30;
const MANY = { recipients: 50, connections: 16, goal: { atLeast: 10_000 } };
const WARM_UP_SECONDS = 0.5;
const DAY_MS = 24 * 60 * 60 * 1000;

export async function measureAccept(bench: Bench): Promise<Figure[]> {
  const dir = join(bench.dir, "accept");
  mkdirSync(dir);
  await using server = await ServerProcess.start(bench.command, dir, {});
  await using bare = new Child("bare-accept.ts");
  await bare.ask({ kind: "open", dir: join(bench.dir, "bare-accept") } satisfies BareAcceptTask);
  await using load = new Load(server);
  const figures: Figure[] = [];
  for (const level of LEVELS) figures.push(...figuresOf(level, await passes(bench, level, { server, bare, load })));
  figures.push(await manyRecipients(bench, load));
  await load.verify();
  return [
    ...figures,
    { name: "memory, accepting: peak", unit: "MB", ours: server.memory.peakMb, goal: { atMost: 250 } },
  ];
}

/** Bare and ours in turn, so that what else the machine does disturbs both. */
async function passes({ passes, seconds }: Bench, level: Level, { server, bare, load }: Beside): Promise<Pass[]> {
  const writers = level.connections;
  const done: Pass[] = [];
  while (done.length < passes) {
    const task: BareAcceptTask = { kind: "run", writers, warmUpSeconds: WARM_UP_SECONDS, seconds };
    const limit = await bare.ask<BareAcceptResult>(task);
    const before = { written: server.writtenBytes, acknowledged: load.acknowledged };
    const { result, delayMs } = await probed(server.url, () => load.run(terms(writers, 1, seconds)));
    const writtenBytes = (server.writtenBytes - before.written) / (load.acknowledged - before.acknowledged);
    done.push({ ours: result, bare: limit, delayMs, writtenBytes });
  }
  return done;
}

function terms(connections: number, recipients: number, seconds: number) {
  const sendAt = new Date(Date.now() + DAY_MS).toISOString();
  return { connections, recipients, seconds, sendAt, warmUpSeconds: WARM_UP_SECONDS };
}

function figuresOf({ connections, goal, worstP99Ms }: Level, done: readonly Pass[]): Figure[] {
  const name = `accept, ${connections} ${connections === 1 ? "connection" : "connections"}`;
  const rates = done.map(({ ours }) => ours.perSecond);
  const limits = done.map(({ bare }) => bare.perSecond);
  return [
    {
      name,
      unit: "sends/s",
      ours: median(rates),
      limit: median(limits),
      ratio: medianRatio(rates, limits),
      goal,
      note: "limit: same statements, no HTTP",
    },
    latencyFigure(`${name}: p99`, done, worstP99Ms),
    delayFigure(`${name}: longest wait of GET /health`, done),
    writtenFigure(`${name}: written for a thousand`, done),
  ];
}

/**
 * Pages of the log, and what is copied from it into the database: the more come together, the fewer pages each has of
 * its own.
 */
function writtenFigure(name: string, done: readonly Pass[]): Figure {
  const bytes = median(done.map(({ writtenBytes }) => writtenBytes));
  const note = `${(bytes / PAGE_BYTES).toFixed(1)} pages of ${PAGE_BYTES / 1024} KB each`;
  return { name, unit: "MB", ours: (bytes * 1000) / 1e6, note };
}

function latencyFigure(name: string, done: readonly Pass[], worstMs: number): Figure {
  const p50 = median(done.map(({ ours }) => ours.latencyMs.p50)).toFixed(1);
  const longest = Math.max(...done.map(({ ours }) => ours.latencyMs.max)).toFixed(0);
  const bare = median(done.map(({ bare }) => bare.latencyMs.p99)).toFixed(1);
  const note = `p50 ${p50}, longest ${longest}; p99 without HTTP ${bare}`;
  return {
    name,
    unit: "ms",
    ours: median(done.map(({ ours }) => ours.latencyMs.p99)),
    goal: { atMost: worstMs },
    note,
  };
}

function delayFigure(name: string, done: readonly Pass[]): Figure {
  const delaysMs = done.map(({ delayMs }) => delayMs.max);
  const note = `each pass: ${delaysMs.map((delay) => delay.toFixed(0)).join(", ")}`;
  return { name, unit: "ms", ours: median(delaysMs), goal: { atMost: LONGEST_DELAY_MS }, note };
}

async function manyRecipients({ seconds }: Bench, load: Load): Promise<Figure> {
  const { recipients, connections, goal } = MANY;
  const { perSecond, latencyMs } = await load.run(terms(connections, recipients, seconds));
  const note = `${connections} connections, p99 ${latencyMs.p99.toFixed(0)} ms`;
  const name = `accept, ${recipients} recipients a request`;
  return { name, unit: "recipients/s", ours: perSecond * recipients, goal, note };
}
