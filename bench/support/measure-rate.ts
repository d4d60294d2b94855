// The rate: a backlog leaves at 14 a second, also across the sudden end of the process.
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Figure } from "./report.ts";
import { prepareInstallation, ServerProcess, type Environment } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import type { Arrival } from "./sink.ts";
import { throughSink } from "./smtp-server-env.ts";
import { mostInAnyWindow } from "./statistics.ts";
import { stock } from "./stock.ts";

const RATE = 14;
const BURST = 1;
const AFTER_RESTART_SECONDS = 15;
const CONCURRENCY = 10;

export async function measureRate(bench: Bench, seconds: number): Promise<Figure[]> {
  const dir = join(bench.dir, "rate");
  await prepareInstallation(bench.command, dir);
  stock(dir, RATE * (seconds + AFTER_RESTART_SECONDS + 30), "QUEUED");
  await using sink = await SinkProcess.start({ remember: true });
  const env = {
    ...throughSink(sink.port, CONCURRENCY),
    POSTHORN_DELIVERY_RATE_PER_SECOND: String(RATE),
    POSTHORN_DELIVERY_BURST: String(BURST),
  };
  const killedAtMs = await untilKilled(bench, dir, env, seconds);
  await afterRestart(bench, dir, env);
  return figuresOf(await sink.arrivals(), killedAtMs);
}

async function untilKilled(bench: Bench, dir: string, env: Environment, seconds: number): Promise<number> {
  const server = await ServerProcess.start(bench.command, dir, env);
  await Bun.sleep(seconds * 1000);
  await server.kill();
  return performance.timeOrigin + performance.now();
}

async function afterRestart(bench: Bench, dir: string, env: Environment): Promise<void> {
  await using _server = await ServerProcess.start(bench.command, dir, env);
  await Bun.sleep(AFTER_RESTART_SECONDS * 1000);
}

function figuresOf(arrivals: readonly Arrival[], killedAtMs: number): Figure[] {
  const all = arrivals.map(({ atMs }) => atMs);
  const before = all.filter((atMs) => atMs < killedAtMs);
  const after = all.filter((atMs) => atMs >= killedAtMs);
  const twice = arrivals.length - new Set(arrivals.map(({ recipient }) => recipient)).size;
  const pauseMs = (after[0] ?? Number.NaN) - (before.at(-1) ?? Number.NaN);
  const across = all.filter((atMs) => atMs > killedAtMs - 2_000 && atMs < killedAtMs + 5_000);
  return [
    {
      name: `rate ${RATE}/s: mean`,
      unit: "mails/s",
      ours: meanOf(before),
      goal: { atLeast: RATE * 0.995, atMost: RATE * 1.005 },
      note: `${before.length} mails`,
    },
    {
      name: `rate ${RATE}/s: most in any second`,
      unit: "mails",
      ours: mostInAnyWindow(before, 1000),
      goal: { atMost: RATE + BURST },
    },
    {
      name: `rate ${RATE}/s: gaps`,
      unit: "ms",
      ours: longestGap(before),
      note: `longest; even spacing is ${(1000 / RATE).toFixed(1)} ms`,
    },
    {
      name: `rate ${RATE}/s: most in any second around kill -9 and restart`,
      unit: "mails",
      ours: mostInAnyWindow(across, 1000),
      goal: { atMost: RATE + BURST },
      note: `pause ${pauseMs.toFixed(0)} ms`,
    },
    {
      name: `rate ${RATE}/s: mean after restart`,
      unit: "mails/s",
      ours: meanOf(after),
      goal: { atLeast: RATE * 0.99, atMost: RATE * 1.01 },
    },
    { name: `rate ${RATE}/s: mails that came twice`, unit: "mails", ours: twice, goal: { atMost: CONCURRENCY } },
  ];
}

export function meanOf(moments: readonly number[]): number {
  return ((moments.length - 1) * 1000) / ((moments.at(-1) ?? 0) - (moments[0] ?? 0));
}

function longestGap(moments: readonly number[]): number {
  return Math.max(...moments.slice(1).map((moment, index) => moment - (moments[index] ?? moment)));
}
