// Events for webhooks: what accepting loses while many wait for many endpoints, and how fast they are sent.
import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import type { ReceiverPorts, ReceiverTask } from "./hook-receiver.ts";
import { Load } from "./load.ts";
import type { Figure } from "./report.ts";
import { cpuMs, ServerProcess } from "./server-process.ts";
import { median, medianRatio } from "./statistics.ts";

const ENDPOINTS = 50;
const EVENTS_A_SECOND = 10_000;
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 0.5;
const DAY_MS = 86_400_000;
const ENV = { POSTHORN_WEBHOOKS_ALLOW: "127.0.0.1", POSTHORN_LIMITS_REQUESTS_PER_MINUTE: "0" };

export async function measureHooks(bench: Bench): Promise<Figure[]> {
  const dir = join(bench.dir, "hooks");
  mkdirSync(dir);
  await using receiver = new Child("hook-receiver.ts");
  const { quick } = await receiver.ask<ReceiverPorts>({ kind: "open" } satisfies ReceiverTask);
  const alone: Accepted[] = [];
  const beside: Accepted[] = [];
  let sent = 0;
  const measureAlone = async () => void alone.push(await accepting(bench, dir));
  const measureBeside = async () => {
    leaveEvents(dir, Math.ceil(EVENTS_A_SECOND * (bench.seconds + WARM_UP_SECONDS)));
    const before = await receiver.ask<number>({ kind: "count" } satisfies ReceiverTask);
    beside.push(await accepting(bench, dir));
    sent += (await receiver.ask<number>({ kind: "count" } satisfies ReceiverTask)) - before;
    forgetEvents(dir);
  };
  // The first mails of a new store cost less: they count for neither.
  await accepting(bench, dir, (server) => addEndpoints(server, quick));
  for (let pass = 0; pass < bench.passes; pass++) {
    // Tables grow from one to the next, so each of the two is first in turn.
    const [first, second] = pass % 2 === 0 ? [measureAlone, measureBeside] : [measureBeside, measureAlone];
    await first();
    await second();
  }
  const rates = (done: readonly Accepted[]) => done.map(({ perSecond }) => perSecond);
  const costs = (done: readonly Accepted[]) => done.map(({ cpuUs }) => cpuUs);
  const name = `accept, ${EVENTS_A_SECOND} events a second wait for ${ENDPOINTS} webhooks`;
  return [
    {
      name,
      unit: "sends/s",
      ours: median(rates(beside)),
      limit: median(rates(alone)),
      ratio: medianRatio(rates(beside), rates(alone)),
      goal: { ratioAtLeast: 0.97 },
      note: `limit: nothing waits; ${Math.round(sent / bench.passes / bench.seconds)} calls/s beside it`,
    },
    {
      name: `${name}: processor time of a send`,
      unit: "µs",
      ours: median(costs(beside)),
      limit: median(costs(alone)),
      ratio: medianRatio(costs(beside), costs(alone)),
      note: "says the same where others use the machine",
    },
  ];
}

/** `cpuUs`: of all that the server did, for each send. */
type Accepted = { readonly perSecond: number; readonly cpuUs: number };

async function accepting(
  { command, seconds }: Bench,
  dir: string,
  prepare?: (server: ServerProcess) => Promise<void>,
): Promise<Accepted> {
  await using server = await ServerProcess.start(command, dir, ENV);
  await prepare?.(server);
  await using load = new Load(server);
  const sendAt = new Date(Date.now() + DAY_MS).toISOString();
  const terms = { connections: CONNECTIONS, recipients: 1, seconds, sendAt, warmUpSeconds: WARM_UP_SECONDS };
  const before = cpuMs(server);
  const { perSecond } = await load.run(terms);
  return { perSecond, cpuUs: ((cpuMs(server) - before) * 1_000) / load.acknowledged };
}

async function addEndpoints({ url, key }: ServerProcess, port: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  for (let n = 0; n < ENDPOINTS; n++) {
    const body = JSON.stringify({ url: `http://127.0.0.1:${port}/${n}`, events: ["event.tracked"] });
    const reply = await fetch(`${url}/webhooks`, { method: "POST", headers, body });
    if (reply.status !== 201) throw new Error(await reply.text());
  }
}

/** As a server leaves them that ends at this moment. */
function leaveEvents(dir: string, count: number): void {
  const database = new Database(join(dir, "posthorn.db"));
  const now = new Date().toISOString();
  const topics = JSON.stringify(["event:tick", "type:event.tracked"]);
  const event = database.prepare(
    `insert into events (id, workspace, name, contact, data, created_at)
     values (?, 1, 'tick', (select min(seq) from contacts) + ? % 1000, jsonb('{"n":1}'), ?)`,
  );
  const row = database.prepare(
    "insert into outbox (workspace, subjects, contact, event, for_endpoints, due_at) select 1, ?, contact, seq, 1, ? from events where seq = ?",
  );
  database.transaction(() => {
    for (let n = 0; n < count; n++) {
      const { lastInsertRowid } = event.run(Bun.randomUUIDv7(), n, now);
      row.run(topics, now, lastInsertRowid);
    }
  })();
  database.close();
}

/** The next pass begins as the first did. */
function forgetEvents(dir: string): void {
  const database = new Database(join(dir, "posthorn.db"));
  database.run("pragma foreign_keys = on");
  for (const table of ["outbox", "webhook_attempts", "webhook_deliveries", "webhook_events"])
    database.run(`delete from ${table}`);
  database.close();
}
