// Accepting at full speed while sending at full speed; afterwards what a mail costs in the database.
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { LoadResult } from "./client.ts";
import { probed } from "./health-probe.ts";
import { BODY_BYTES } from "./letter.ts";
import { Load } from "./load.ts";
import type { Figure } from "./report.ts";
import { ServerProcess } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import { throughSink } from "./smtp-server-env.ts";
import type { Latencies } from "./statistics.ts";

/** Each alone, measured before, in the same run; null = not measured. */
export type Alone = { readonly acceptPerSecond: number | null; readonly sendPerSecond: number | null };

const CONNECTIONS = 64;
const CONCURRENCY = 50;
const WARM_UP_SECONDS = 1.5;

export async function measureBoth(bench: Bench, alone: Alone): Promise<Figure[]> {
  const dir = join(bench.dir, "both");
  mkdirSync(dir);
  await using sink = await SinkProcess.start();
  const figures = await underBoth(bench, dir, sink, alone);
  // The server has stopped, and its log is copied back: what lies there is all there is.
  const bytes = databaseBytes(dir) / (await sink.count()) - BODY_BYTES;
  return [
    ...figures,
    { name: "database: a mail without its body", unit: "bytes", ours: bytes, goal: { atMost: 1_400 } },
  ];
}

async function underBoth(bench: Bench, dir: string, sink: SinkProcess, alone: Alone): Promise<Figure[]> {
  await using server = await ServerProcess.start(bench.command, dir, throughSink(sink.port, CONCURRENCY));
  await using load = new Load(server);
  const seconds = bench.seconds * bench.passes;
  const terms = { connections: CONNECTIONS, recipients: 1, sendAt: null, warmUpSeconds: WARM_UP_SECONDS, seconds };
  const work = () => Promise.all([load.run(terms), sink.rate(WARM_UP_SECONDS, seconds)]);
  const { result, delayMs } = await probed(server.url, work);
  await allSent(server, sink, load.acknowledged);
  const [accepted, sendPerSecond] = result;
  return [
    ...acceptFigures(accepted, alone, delayMs),
    besides("both: send, 50 connections, signed", "mails/s", sendPerSecond, alone.sendPerSecond),
    { name: "both: memory, peak", unit: "MB", ours: server.memory.peakMb, goal: { atMost: 200 } },
  ];
}

function acceptFigures({ perSecond, latencyMs }: LoadResult, alone: Alone, delayMs: Latencies): Figure[] {
  const wait = { ours: delayMs.max, goal: { atMost: 30 }, note: `p99 ${delayMs.p99.toFixed(0)}` };
  const name = "both: accept, 64 connections";
  return [
    besides(name, "sends/s", perSecond, alone.acceptPerSecond),
    {
      name: `${name}: p99`,
      unit: "ms",
      ours: latencyMs.p99,
      goal: { atMost: 25 },
      note: `p50 ${latencyMs.p50.toFixed(1)}, longest ${latencyMs.max.toFixed(0)}`,
    },
    { name: "both: longest wait of GET /health", unit: "ms", ...wait },
  ];
}

function besides(name: string, unit: string, ours: number, alone: number | null): Figure {
  return alone === null
    ? { name, unit, ours }
    : { name, unit, ours, limit: alone, goal: { ratioAtLeast: 0.4 }, note: "limit: ours alone" };
}

/** @throws Error unless each acknowledged mail has left once and is SENT */
export async function allSent(server: ServerProcess, sink: SinkProcess, acknowledged: number): Promise<void> {
  await sink.reaches(acknowledged);
  for (let tries = 0; (await server.mails("SENT")) < acknowledged; tries++) {
    if (tries > 100) throw new Error(`${acknowledged} mails acknowledged, ${await server.mails("SENT")} are SENT`);
    await Bun.sleep(50);
  }
  const arrived = await sink.count();
  if (arrived !== acknowledged) throw new Error(`${acknowledged} mails acknowledged, ${arrived} arrived`);
}

function databaseBytes(dir: string): number {
  const files = readdirSync(dir).filter((name) => /^posthorn\.db(-wal)?$/.test(name));
  return files.reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
}
