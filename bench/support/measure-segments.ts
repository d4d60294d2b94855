// Segments over HTTP in a workspace of many contacts; and, in process, what one contact's change costs where many
// listen.
import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { loadConfig } from "../../src/base/config.ts";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { Dispatcher, type Consumer } from "../../src/tenant/events/dispatch.ts";
import { createLog } from "../../src/base/log.ts";
import { segmentMembership } from "../../src/audience/segments/membership/membership.ts";
import { createSegment } from "../../src/audience/segments/segment.ts";
import { openStore } from "../../src/store/open.ts";
import { probed } from "./health-probe.ts";
import type { Figure } from "./report.ts";
import { prepareInstallation, ServerProcess } from "./server-process.ts";
import { median } from "./statistics.ts";

export type SegmentBench = { readonly command: readonly string[]; readonly dir: string; readonly contacts: number };

const PAST = "2026-01-01T00:00:00.000Z";
const ROWS_A_TRANSACTION = 50_000;
const LISTENING = 100;
const CHANGES = 400;
const POLL_MS = 20;

export async function measureSegments({ command, dir, contacts }: SegmentBench): Promise<Figure[]> {
  const data = join(dir, "many");
  await prepareInstallation(command, data);
  people(data, contacts);
  return [...(await overHttp(command, data, contacts)), await oneChange(command, join(dir, "few"))];
}

async function overHttp(command: readonly string[], dir: string, contacts: number): Promise<Figure[]> {
  await using server = await ServerProcess.start(command, dir, {});
  const limit = bareCountMs(dir);
  const made = await probed(server.url, () => times(5, (n) => makeSegment(server, `Pro ${n}`)));
  const filled = await probed(server.url, () => untilCurrent(dir));
  const friends = (await post(server, "/segments", { name: "Friends", type: "STATIC" })).id;
  const entered = await probed(server.url, () => times(5, (n) => addFriends(server, friends, n * 500)));
  const many = `${contacts.toLocaleString("en-US")} contacts`;
  const during = ({ p99, max }: { p99: number; max: number }) =>
    `others wait p99 ${p99.toFixed(1)} ms, at most ${max.toFixed(0)}`;
  return [
    {
      name: `a segment of two conditions made, with its count, ${many}`,
      unit: "ms",
      ours: median(made.result),
      limit,
      goal: { atMost: 300 },
      note: during(made.delayMs),
    },
    { name: "five such segments filled", unit: "ms", ours: filled.result, note: during(filled.delayMs) },
    {
      name: "500 addresses into a STATIC segment",
      unit: "ms",
      ours: median(entered.result),
      goal: { atMost: 50 },
      note: during(entered.delayMs),
    },
  ];
}

async function times(count: number, work: (n: number) => Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = [];
  for (let n = 0; n < count; n++) {
    const startedMs = performance.now();
    await work(n);
    tookMs.push(performance.now() - startedMs);
  }
  return tookMs;
}

/** The same count by SQL alone. */
function bareCountMs(dir: string): number {
  using database = new Database(join(dir, "posthorn.db"), { readonly: true });
  const count = database.query(
    `select count(*) from contacts c where c.workspace = 1 and c.data ->> '$.plan' = 'pro' and c.data ->> '$.age' > 40`,
  );
  const tookMs = Array.from({ length: 5 }, () => {
    const startedMs = performance.now();
    count.get();
    return performance.now() - startedMs;
  });
  return median(tookMs);
}

function makeSegment(server: ServerProcess, name: string) {
  const filters = [
    { field: "plan", value: "pro" },
    { field: "age", operator: "greaterThan", value: 40 },
  ];
  return post(server, "/segments", { name, condition: { groups: [{ filters }] } });
}

function addFriends(server: ServerProcess, segment: string, from: number) {
  const emails = Array.from({ length: 500 }, (_, index) => `u${from + index + 1}.stock@example.com`);
  return post(server, `/segments/${segment}/members`, { emails });
}

async function post(server: ServerProcess, path: string, body: object): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
  const reply = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as { id: string };
}

async function untilCurrent(dir: string): Promise<number> {
  using database = new Database(join(dir, "posthorn.db"), { readonly: true });
  const startedMs = performance.now();
  while (database.query("select 1 from segments where state <> 'CURRENT'").get()) await Bun.sleep(POLL_MS);
  return performance.now() - startedMs;
}

/** In process, so that nothing but the consumer's own work is counted. */
async function oneChange(command: readonly string[], dir: string): Promise<Figure> {
  await prepareInstallation(command, dir);
  const log = createLog({ level: "warn", format: "text", clock: systemClock, write: (line) => console.error(line) });
  const store = (await openStore(loadConfig({ env: {}, dataDir: dir }), { clock: systemClock, log, opening: "make" }))
    .store;
  const tookMs: number[] = [];
  const timed: Consumer = {
    name: "segments",
    consume: async (tx, happened) => {
      const startedMs = performance.now();
      await segmentMembership.consume(tx, happened);
      tookMs.push(performance.now() - startedMs);
    },
  };
  const dispatcher = new Dispatcher({ store, clock: systemClock, log, consumers: [timed] });
  for (let n = 0; n < LISTENING; n++) {
    const condition = { groups: [{ filters: [{ field: "plan", value: `p${n}` }] }] };
    await store.write((tx) => createSegment(tx, 1, { name: `S${n}`, condition, trackMembership: true }));
  }
  for (let n = 0; n < CHANGES; n++) {
    const input = {
      subscribed: undefined,
      voice: KEY_VOICE,
      subscribedIfNew: true,
      data: { plan: `p${n % LISTENING}` },
    };
    await store.write((tx) => upsertContact(tx, 1, { ...input, email: "ada@example.com" }));
    while ((await dispatcher.step()) === 0);
  }
  await store.close();
  const name = `one contact's change followed, ${LISTENING} segments listening`;
  return {
    name,
    unit: "ms",
    ours: median(tookMs),
    goal: { atMost: 1 },
    note: "it leaves one and enters another",
  };
}

/** A third of them match both conditions of `makeSegment`, half of those by age. */
function people(dir: string, count: number): void {
  mkdirSync(dir, { recursive: true });
  const database = new Database(join(dir, "posthorn.db"));
  database.run("pragma synchronous = off");
  for (let done = 0; done < count; done += ROWS_A_TRANSACTION) {
    database
      .query(
        `with recursive n (i) as (select ?1 + 1 union all select i + 1 from n where i < ?2)
         insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
         select printf('0199a3b4-0000-7000-8001-%012x', i), 1, printf('u%d.stock@example.com', i), i % 2,
           jsonb(json_object('name', 'Ada ' || i, 'plan', iif(i % 3 = 0, 'pro', 'free'), 'age', i % 80, 'city', 'Berlin')), ?3, ?3
         from n`,
      )
      .run(done, Math.min(done + ROWS_A_TRANSACTION, count), PAST);
  }
  database.run("pragma wal_checkpoint(truncate)");
  database.close();
}
