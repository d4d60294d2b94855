// Mails that are sent again as a job are queued once each, however often the process is killed on the way.
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "./crash/server-process.ts";
import { letter } from "./support/mails.ts";
import type { Json } from "./support/posthorn.ts";

const KILLS = 3;
const REQUESTS = 60;
const MAILS = REQUESTS * 50;
const LONGEST_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 5;

const dataDir = mkdtempSync(join(tmpdir(), "posthorn-crash-retry-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

let runs = 0;
let secretKey = "";

async function start(): Promise<ServerProcess> {
  const settings = { POSTHORN_LIMITS_REQUESTS_PER_MINUTE: "0" };
  const server = await ServerProcess.start({ dataDir, relayPort: 1, run: runs++, settings });
  secretKey ||= server.secretKey ?? "";
  return server;
}

async function call(server: ServerProcess, route: string, body?: object): Promise<Json> {
  const [method = "", path] = route.split(" ");
  const headers = { authorization: `Bearer ${secretKey}`, "content-type": "application/json" };
  const reply = await fetch(server.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return reply.json();
}

async function until(server: ServerProcess, job: string, isThere: (record: Json) => boolean): Promise<Json> {
  const deadlineMs = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const record = await call(server, `GET /emails/retry/jobs/${job}`);
    if (isThere(record)) return record;
    if (performance.now() > deadlineMs) throw new Error(`The job stands at ${JSON.stringify(record)}`);
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

/** While no server runs. */
function withDatabase<Answer>(work: (database: Database) => Answer): Answer {
  using database = new Database(join(dataDir, "posthorn.db"));
  return work(database);
}

test(`a job that sends mails again goes on after each of ${KILLS} kills: each mail is queued once`, async () => {
  let server = await start();
  const sendAt = new Date(Date.now() + 24 * 3_600_000).toISOString();
  for (let request = 0; request < REQUESTS; request++) {
    const to = Array.from({ length: 50 }, (_, index) => `u${request}.${index}@example.com`);
    await call(server, "POST /v1/send", { ...letter, to, sendAt });
  }
  await server.stop();
  withDatabase((database) => database.run("update emails set status = 'FAILED', due_at = null"));
  server = await start();
  const { jobId } = await call(server, "POST /emails/retry", { filter: {} });
  for (let kill = 0; kill < KILLS; kill++) {
    await until(server, jobId, ({ progress }) => progress > (kill * 80) / KILLS);
    await server.kill();
    server = await start();
  }
  const { result } = await until(server, jobId, ({ status }) => status === "COMPLETED");
  expect(result).toMatchObject({ totalRequested: MAILS, successCount: MAILS, failureCount: 0 });
  await server.stop();
  const counts = withDatabase((database) =>
    database
      .query(
        `select count(*) as queued, count(distinct resent_from) as repeated, (select count(*) from emails) as mails
         from emails where resent_from is not null`,
      )
      .get(),
  );
  expect(counts).toEqual({ queued: MAILS, repeated: MAILS, mails: 2 * MAILS });
}, 600_000);
