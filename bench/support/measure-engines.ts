// Both engines in one run: accepting and sending on SQLite, and on PostgreSQL with one process, with two and with
// three.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { Bench } from "./bench.ts";
import { Load } from "./load.ts";
import { meanOf } from "./measure-rate.ts";
import type { Figure } from "./report.ts";
import { ServerProcess, type Environment } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";
import { throughSink } from "./smtp-server-env.ts";

type Engine = { readonly name: string; readonly processes: number; readonly env: Environment };
type Rates = { readonly acceptPerSecond: number; readonly p99Ms: number; readonly sendPerSecond: number };

const CONNECTIONS = 64;
const CONCURRENCY = 50;
const WARM_UP_SECONDS = 1;
/** From the last request to the moment at which everything is due. */
const PAUSE_SECONDS = 2;
/** That several processes hold together, and for how long. */
const HELD = { rate: 50, seconds: 40, processes: 3, tolerance: 0.005 };

/** `postgres`: a server on which databases may be made; they are dropped again. */
export async function measureEngines(bench: Bench, postgres: string): Promise<Figure[]> {
  const sqlite = await measured(bench, { name: "SQLite", processes: 1, env: {} });
  const on = (processes: number) =>
    onPostgres(postgres, processes, (env) => measured(bench, { name: `PostgreSQL ${processes}`, processes, env }));
  const [one, two, three] = [await on(1), await on(2), await on(3)];
  return [
    ...figuresOf("SQLite", sqlite),
    ...figuresOf("PostgreSQL, one process", one, { name: "SQLite", ...sqlite }),
    ...figuresOf("PostgreSQL, two processes", two, { name: "one process", ...one }),
    ...figuresOf("PostgreSQL, three processes", three, { name: "one process", ...one }),
    await onPostgres(postgres, HELD.processes, (env) => heldTogether(bench, env)),
  ];
}

export async function onPostgres<Result>(
  server: string,
  processes: number,
  measure: (env: Environment) => Promise<Result>,
): Promise<Result> {
  const name = `posthorn_bench_${process.pid}_${processes}`;
  await using admin = new SQL(server, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  try {
    return await measure({ POSTHORN_DATABASE_URL: url.href, POSTHORN_SECRETS_KEY: "ab".repeat(32) });
  } finally {
    await admin.unsafe(`drop database ${name} with (force)`);
  }
}

/**
 * All mails are accepted for one moment a little ahead, so that neither half of the work is in the way of the other.
 */
async function measured(bench: Bench, engine: Engine): Promise<Rates> {
  await using sink = await SinkProcess.start();
  await using nodes = await Nodes.start(bench, sink, engine);
  const seconds = bench.seconds * bench.passes;
  const accepted = await nodes.accept(seconds);
  const sendPerSecond = await sink.rate(0.5, seconds / 2);
  return {
    acceptPerSecond: accepted.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99Ms: Math.max(...accepted.map(({ latencyMs }) => latencyMs.p99)),
    sendPerSecond,
  };
}

/** A backlog leaves through several processes that share one rate. */
async function heldTogether(bench: Bench, postgres: Environment): Promise<Figure> {
  await using sink = await SinkProcess.start({ remember: true });
  const env = { ...postgres, POSTHORN_DELIVERY_RATE_PER_SECOND: String(HELD.rate), POSTHORN_DELIVERY_BURST: "1" };
  await using nodes = await Nodes.start(bench, sink, { name: "held", processes: HELD.processes, env });
  await nodes.accept(2);
  await sink.reaches(HELD.rate * HELD.seconds);
  const arrivals = (await sink.arrivals()).map(({ atMs }) => atMs).toSorted((one, other) => one - other);
  return {
    name: `PostgreSQL, ${HELD.processes} processes: ${HELD.rate} emails a second`,
    unit: "mails/s",
    ours: meanOf(arrivals),
    goal: { atLeast: HELD.rate * (1 - HELD.tolerance), atMost: HELD.rate * (1 + HELD.tolerance) },
    note: `${arrivals.length} mails`,
  };
}

class Nodes implements AsyncDisposable {
  private constructor(
    private readonly loads: readonly Load[],
    private readonly stack: AsyncDisposableStack,
  ) {}

  static async start(bench: Bench, sink: SinkProcess, { name, processes, env }: Engine): Promise<Nodes> {
    const dir = join(bench.dir, name);
    mkdirSync(dir);
    const stack = new AsyncDisposableStack();
    const loads: Load[] = [];
    for (let index = 0; index < processes; index++) {
      const ours = { ...throughSink(sink.port, CONCURRENCY), ...env };
      const server = stack.use(await ServerProcess.start(bench.command, dir, ours));
      loads.push(stack.use(new Load(server)));
    }
    return new Nodes(loads, stack);
  }

  /** For so many seconds; what was accepted is due a little later. */
  accept(seconds: number) {
    const dueMs = Date.now() + (WARM_UP_SECONDS + seconds + PAUSE_SECONDS) * 1000;
    const connections = Math.ceil(CONNECTIONS / this.loads.length);
    const sendAt = new Date(dueMs).toISOString();
    const terms = { connections, recipients: 1, sendAt, warmUpSeconds: WARM_UP_SECONDS, seconds };
    return Promise.all(this.loads.map((load) => load.run(terms)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}

function figuresOf(name: string, ours: Rates, beside?: Rates & { readonly name: string }): Figure[] {
  const limit = (rate: "acceptPerSecond" | "sendPerSecond") =>
    beside ? { limit: beside[rate], note: `limit: ${beside.name}` } : {};
  return [
    {
      name: `${name}: accept, 64 connections`,
      unit: "sends/s",
      ours: ours.acceptPerSecond,
      ...limit("acceptPerSecond"),
    },
    { name: `${name}: p99`, unit: "ms", ours: ours.p99Ms },
    { name: `${name}: send, signed`, unit: "mails/s", ours: ours.sendPerSecond, ...limit("sendPerSecond") },
  ];
}
