// A merge of contacts, its undoing, and the merge of all with the same mailbox go on however often the process is
// killed.
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "./crash/server-process.ts";
import type { Json } from "./support/posthorn.ts";

const KILLS = 3;
const EVENTS = 30_000;
const GROUPS = 300;
const LONGEST_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 5;

const dataDir = mkdtempSync(join(tmpdir(), "posthorn-crash-merge-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

let runs = 0;
let secretKey = "";

async function start(): Promise<ServerProcess> {
  const server = await ServerProcess.start({ dataDir, relayPort: 1, run: runs++ });
  secretKey ||= server.secretKey ?? "";
  return server;
}

async function call(server: ServerProcess, route: string, body: object = {}): Promise<Json> {
  const [method = "", path] = route.split(" ");
  const headers = { authorization: `Bearer ${secretKey}`, "content-type": "application/json" };
  const asked = method === "GET" ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(server.url + path, { method, headers, ...asked });
  expect([route, reply.ok]).toEqual([route, true]);
  return reply.json();
}

/** The events of a contact, and those in all. */
function eventsOf(email: string): { theirs: number; all: number } {
  using database = new Database(join(dataDir, "posthorn.db"), { readonly: true });
  const sql = `select count(*) as "all", count(case when c.email = ? then 1 end) as theirs
    from events e left join contacts c on c.seq = e.contact where e.name = 'visit'`;
  return database.query(sql).get(email) as { theirs: number; all: number };
}

/** Kills the server each time that a part of the events has come to this contact; they are all there in the end. */
async function killedUntilThere(server: ServerProcess, email: string): Promise<ServerProcess> {
  let running = server;
  const deadlineMs = performance.now() + LONGEST_WAIT_MS;
  for (let kill = 0; eventsOf(email).theirs < EVENTS;) {
    if (performance.now() > deadlineMs) throw new Error(`${email} has ${eventsOf(email).theirs} events`);
    if (kill < KILLS && eventsOf(email).theirs > (kill * EVENTS) / (KILLS + 1)) {
      await running.kill();
      expect(eventsOf(email).all).toBe(EVENTS);
      running = await start();
      kill++;
    }
    await Bun.sleep(LOOK_AGAIN_MS);
  }
  return running;
}

test(`a history comes and goes back whole through ${KILLS} kills each way`, async () => {
  let server = await start();
  const make = async (email: string) => (await call(server, "POST /contacts", { email })).id as string;
  const [into, from] = [await make("ada@example.com"), await make("ada@old.example")];
  await server.stop();
  using database = new Database(join(dataDir, "posthorn.db"));
  database.run(
    `insert into events (id, workspace, name, contact, data, created_at)
     with recursive n (n) as (select 1 union all select n + 1 from n where n < ${EVENTS})
     select 'e' || n, workspace, 'visit', seq, jsonb('{}'), created_at from n, contacts where email = 'ada@old.example'`,
  );
  database.close();
  server = await start();
  const { id } = await call(server, "POST /contacts/merge", { into, from: [from] });
  server = await killedUntilThere(server, "ada@example.com");
  await call(server, `POST /contacts/merges/${id}/undo`);
  server = await killedUntilThere(server, "ada@old.example");
  expect((await call(server, `GET /contacts/${from}`)).email).toBe("ada@old.example");
  expect(server.complaints).toEqual([]);
  expect((await server.stop()).exitCode).toBe(0);
}, 600_000);

/** How many of the groups below are one contact by now. */
function groupsMerged(): number {
  using database = new Database(join(dataDir, "posthorn.db"), { readonly: true });
  const { count } = database.query("select count(*) as count from merges").get() as { count: number };
  return count;
}

test(`all with the same mailbox are merged once each through ${KILLS} kills`, async () => {
  let server = await start();
  for (let n = 0; n < GROUPS; n++)
    await Promise.all(
      [`u${n}@gmail.com`, `u.${n}@gmail.com`].map((email) => call(server, "POST /contacts", { email })),
    );
  await call(server, "POST /contacts/duplicates");
  const until = async (isSo: () => Promise<boolean>) => {
    const deadlineMs = performance.now() + LONGEST_WAIT_MS;
    while (!(await isSo())) {
      if (performance.now() > deadlineMs) throw new Error(`${groupsMerged()} groups are merged`);
      await Bun.sleep(LOOK_AGAIN_MS);
    }
  };
  await until(async () => (await call(server, "GET /contacts/duplicates")).status === "COMPLETED");
  const { searchId, groups } = await call(server, "GET /contacts/duplicates/merge");
  expect(groups).toBe(GROUPS);
  const before = groupsMerged();
  const { jobId } = await call(server, "POST /contacts/duplicates/merge", { searchId });
  for (let kill = 0; kill < KILLS; kill++) {
    await until(async () => groupsMerged() - before > (kill * GROUPS) / (KILLS + 1));
    await server.kill();
    server = await start();
  }
  await until(async () => (await call(server, `GET /contacts/bulk/${jobId}`)).status === "COMPLETED");
  const { result } = await call(server, `GET /contacts/bulk/${jobId}`);
  expect(result).toMatchObject({ totalRequested: GROUPS, successCount: GROUPS, failureCount: 0 });
  expect(groupsMerged() - before).toBe(GROUPS);
  expect((await call(server, "GET /contacts?search=gmail.com")).total).toBe(GROUPS);
  expect(server.complaints).toEqual([]);
  expect((await server.stop()).exitCode).toBe(0);
}, 600_000);
