// Both engines in one run: accepting and sending on SQLite, and on PostgreSQL with one process and with two.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { Bench } from "./bench.ts";
import { Load } from "./load.ts";
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

/** `postgres`: a server on which databases may be made; they are dropped again. */
export async function measureEngines(bench: Bench, postgres: string): Promise<Figure[]> {
  const sqlite = await measure(bench, { name: "SQLite", processes: 1, env: {} });
  const one = await onPostgres(bench, postgres, 1);
  const two = await onPostgres(bench, postgres, 2);
  return [
    ...figuresOf("SQLite", sqlite),
    ...figuresOf("PostgreSQL, one process", one, sqlite),
    ...figuresOf("PostgreSQL, two processes", two, one),
  ];
}

async function onPostgres(bench: Bench, server: string, processes: number): Promise<Rates> {
  const name = `posthorn_bench_${process.pid}_${processes}`;
  await using admin = new SQL(server, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  try {
    const env = { POSTHORN_DATABASE_URL: url.href, POSTHORN_SECRETS_KEY: "ab".repeat(32) };
    return await measure(bench, { name, processes, env });
  } finally {
    await admin.unsafe(`drop database ${name} with (force)`);
  }
}

/** All mails are accepted for one moment a little ahead, so that neither half of the work is in the way of the other. */
async function measure(bench: Bench, engine: Engine): Promise<Rates> {
  const dir = join(bench.dir, engine.name);
  mkdirSync(dir);
  await using sink = await SinkProcess.start();
  await using stack = new AsyncDisposableStack();
  const loads: Load[] = [];
  for (let index = 0; index < engine.processes; index++) {
    const env = { ...throughSink(sink.port, CONCURRENCY), ...engine.env };
    const server = stack.use(await ServerProcess.start(bench.command, dir, env));
    loads.push(stack.use(new Load(server)));
  }
  const seconds = bench.seconds * bench.passes;
  const dueMs = Date.now() + (WARM_UP_SECONDS + seconds + PAUSE_SECONDS) * 1000;
  const connections = CONNECTIONS / engine.processes;
  const sendAt = new Date(dueMs).toISOString();
  const terms = { connections, recipients: 1, sendAt, warmUpSeconds: WARM_UP_SECONDS, seconds };
  const accepted = await Promise.all(loads.map((load) => load.run(terms)));
  const sendPerSecond = await sink.rate(0.5, seconds / 2);
  return {
    acceptPerSecond: accepted.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99Ms: Math.max(...accepted.map(({ latencyMs }) => latencyMs.p99)),
    sendPerSecond,
  };
}

function figuresOf(name: string, ours: Rates, beside?: Rates): Figure[] {
  const limit = (rate: "acceptPerSecond" | "sendPerSecond") =>
    beside ? { limit: beside[rate], note: "limit: the row above" } : {};
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
