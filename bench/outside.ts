// `bun bench/outside.ts [--engines URL]`: what a caller outside sees, by a load that people know (wrk), on SQLite and
// on PostgreSQL, beside what the same load gets out of Bun's HTTP server alone.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { Bench } from "./support/bench.ts";
import { Child } from "./support/child.ts";
import { HTML, SENDER, SUBJECT } from "./support/letter.ts";
import { NUMBER } from "./support/numbered-requests.ts";
import { LOAD_NAME, outsideLoad, type OutsideRequest, type Target } from "./support/outside-load.ts";
import type { Figure } from "./support/report.ts";
import { runBench } from "./support/run-bench.ts";
import { ServerProcess, UNLIMITED, type Environment } from "./support/server-process.ts";
import { median, medianRatio } from "./support/statistics.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const ADDRESS = `${NUMBER}.RUN@example.com`;
const CONTACTS = 20_000;

type Measured = OutsideRequest & {
  readonly name: string;
  readonly connections: number;
  /** With a public key, as pages have it. */
  readonly isPublic?: true;
  readonly atLeast: { readonly sqlite?: number; readonly postgres?: number };
};

const send = {
  path: "/v1/send",
  body: {
    to: ADDRESS,
    from: SENDER,
    subject: SUBJECT,
    body: HTML,
    sendAt: new Date(Date.now() + DAY_MS).toISOString(),
  },
};
const track = { path: "/v1/track", body: { email: ADDRESS, event: "order.placed", data: { plan: "pro" } } };
const MEASURED: readonly Measured[] = [
  { name: "accept", ...send, connections: 1, atLeast: { sqlite: 1_400, postgres: 700 } },
  { name: "accept", ...send, connections: 16, atLeast: { sqlite: 8_500 } },
  { name: "accept", ...send, connections: 64, atLeast: { sqlite: 12_000, postgres: 6_000 } },
  { name: "track", ...track, connections: 64, atLeast: { postgres: 6_000 } },
  { name: "track with a public key", ...track, isPublic: true, connections: 64, atLeast: { postgres: 4_800 } },
  {
    name: "contacts",
    path: "/contacts",
    connections: 64,
    atLeast: { postgres: 6_000 },
    body: { email: ADDRESS, data: { plan: "pro" } },
  },
  {
    name: `page of 100 of ${CONTACTS} or more`,
    path: "/contacts?limit=100",
    body: null,
    connections: 16,
    atLeast: { postgres: 3_000 },
  },
];

await runBench({
  options: {
    quick: { help: "one short pass of each" },
    engines: { value: "URL", help: "PostgreSQL as well; URL is a server on which databases may be made" },
  },
  measure: async (ground, options) => {
    const bench = { ...ground, ...(options.quick ? { passes: 1, seconds: 2 } : { passes: 3, seconds: 4 }) };
    const sqlite = await measure(bench, "sqlite", {});
    return options.engines ? [...sqlite, ...(await onPostgres(bench, options.engines))] : sqlite;
  },
});

async function measure(bench: Bench, engine: "sqlite" | "postgres", env: Environment): Promise<Figure[]> {
  const dir = join(bench.dir, engine);
  mkdirSync(dir);
  await using server = await ServerProcess.start(bench.command, dir, { ...UNLIMITED, ...env });
  await using alone = new Child("bare-http.ts");
  const bare = { url: `http://127.0.0.1:${await alone.ask<number>(null)}`, key: server.key };
  const figures: Figure[] = [];
  for (const one of MEASURED) figures.push(await figureOf(bench, { server, bare, dir, engine }, one));
  return figures;
}

type Place = {
  readonly server: Target;
  readonly bare: Target;
  readonly dir: string;
  readonly engine: "sqlite" | "postgres";
};

/** Both in turn, so that what else the machine does disturbs both. */
async function figureOf({ passes, seconds }: Bench, place: Place, one: Measured): Promise<Figure> {
  const { bare, dir, engine } = place;
  const server = one.isPublic ? { url: place.server.url, key: await publicKeyOf(place.server) } : place.server;
  const limits: number[] = [];
  const rates: number[] = [];
  const p99s: number[] = [];
  for (let pass = 0; pass < passes; pass++) {
    limits.push((await outsideLoad(bare, dir, { ...one, seconds })).perSecond);
    const { perSecond, p99Ms } = await outsideLoad(server, dir, { ...one, seconds });
    rates.push(perSecond);
    p99s.push(p99Ms);
  }
  const atLeast = one.atLeast[engine];
  return {
    name: `${engine === "sqlite" ? "SQLite" : "PostgreSQL"}: ${one.name}, ${one.connections} connections`,
    unit: "requests/s",
    ours: median(rates),
    limit: median(limits),
    ratio: medianRatio(rates, limits),
    note: `${LOAD_NAME}; p99 ${median(p99s).toFixed(1)} ms; limit: HTTP alone`,
    ...(atLeast === undefined ? {} : { goal: { atLeast } }),
  };
}

async function publicKeyOf({ url, key }: Target): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const made = await fetch(`${url}/keys`, { method: "POST", headers, body: "{}" });
  return ((await made.json()) as { readonly public: string }).public;
}

async function onPostgres(bench: Bench, server: string): Promise<Figure[]> {
  const name = `posthorn_outside_${process.pid}`;
  await using admin = new SQL(server, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  try {
    return await measure(bench, "postgres", {
      POSTHORN_DATABASE_URL: url.href,
      POSTHORN_SECRETS_KEY: "ab".repeat(32),
    });
  } finally {
    await admin.unsafe(`drop database ${name} with (force)`);
  }
}
