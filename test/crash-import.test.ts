// What was answered 202 is done once, however often the process is killed on the way.
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "./crash/server-process.ts";
import { deflateRawSync } from "node:zlib";
import { FORM, formWith } from "./support/files.ts";
import type { Json } from "./support/posthorn.ts";
import { zipOf } from "./support/reports.ts";

const KILLS = 3;
const ROWS = 12_000;
const KNOWN = 1_500;
const LONGEST_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 5;

const dataDir = mkdtempSync(join(tmpdir(), "posthorn-crash-import-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

let runs = 0;
let secretKey = "";

async function start(): Promise<ServerProcess> {
  const server = await ServerProcess.start({ dataDir, relayPort: 1, run: runs++ });
  secretKey ||= server.secretKey ?? "";
  return server;
}

function call(
  server: ServerProcess,
  route: string,
  body?: Uint8Array<ArrayBuffer> | ReadableStream,
  headers = {},
): Promise<Response> {
  const [method = "", path] = route.split(" ");
  const authorization = `Bearer ${secretKey}`;
  return fetch(server.url + path, { method, headers: { authorization, ...headers }, ...(body ? { body } : {}) });
}

async function upload(server: ServerProcess, file: string | Uint8Array): Promise<string> {
  const reply = await call(server, "POST /contacts/import", formWith(file), FORM);
  expect(reply.status).toBe(202);
  return ((await reply.json()) as Json).jobId;
}

async function until(server: ServerProcess, job: string, isThere: (record: Json) => boolean): Promise<Json> {
  const deadlineMs = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const record = (await (await call(server, `GET /contacts/import/${job}`)).json()) as Json;
    if (isThere(record)) return record;
    if (performance.now() > deadlineMs) throw new Error(`The import stands at ${JSON.stringify(record)}`);
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

const isDone = ({ status }: Json) => status === "COMPLETED";

/** `count`: how many rows; the first of them say `flag`. */
function file(count: number, flag: boolean): string {
  const rows = Array.from({ length: count }, (_, row) => `c${row}@example.com,${flag},${row}\n`);
  return `email,subscribed,n\n${rows.join("")}nobody,,\n`;
}

function counted(sql: string): number {
  using database = new Database(join(dataDir, "posthorn.db"), { readonly: true });
  return (database.query(sql).get() as { count: number }).count;
}

test(`an import goes on after each of ${KILLS} kills: no row is missing, none is done twice`, async () => {
  let server = await start();
  await until(server, await upload(server, file(KNOWN, true)), isDone);
  const job = await upload(server, file(ROWS, false));
  for (let kill = 0; kill < KILLS; kill++) {
    await until(server, job, ({ progress }) => progress > (kill * 80) / KILLS);
    await server.kill();
    server = await start();
  }
  const { result } = await until(server, job, isDone);
  expect(result).toMatchObject({
    totalRows: ROWS + 1,
    createdCount: ROWS - KNOWN,
    updatedCount: KNOWN,
    failureCount: 1,
  });
  expect(server.complaints).toEqual([]);
  expect((await server.stop()).exitCode).toBe(0);
  expect(counted("select count(*) as count from contacts where subscribed = 0")).toBe(ROWS);
  expect(counted("select count(*) as count from events where name = 'contact.unsubscribed'")).toBe(KNOWN);
  expect(counted("select count(distinct contact) as count from events")).toBe(KNOWN);
  expect(counted("select count(*) as count from contact_job_batches")).toBe(0);
}, 600_000);

test("an archive goes on after a kill as well, and its errors keep their files", async () => {
  let server = await start();
  const bytes = (text: string) => Buffer.from(text.replaceAll("@example.com", "@archive.example"));
  const archive = zipOf(
    [
      { name: "unsubscribed.csv", bytes: bytes(file(KNOWN, true).replaceAll("subscribed", "plan")) },
      { name: "subscribed.csv", bytes: bytes(file(ROWS, true)) },
    ],
    deflateRawSync,
  );
  const job = await upload(server, archive);
  await until(server, job, ({ progress }) => progress > 30);
  await server.kill();
  server = await start();
  const { result } = await until(server, job, isDone);
  expect(result).toMatchObject({ totalRows: ROWS + KNOWN + 2, createdCount: ROWS, repeatedCount: KNOWN });
  expect(result.errors).toMatchObject([
    { file: "unsubscribed.csv", row: KNOWN + 2 },
    { file: "subscribed.csv", row: ROWS + 2 },
  ]);
  await server.stop();
  const people = "select count(*) as count from contacts where email like '%@archive.example'";
  expect(counted(`${people} and subscribed = 0`)).toBe(KNOWN);
}, 600_000);

test("an upload that a kill has cut off leaves no contact, and what was stored of it goes away", async () => {
  let server = await start();
  const before = counted("select count(*) as count from contacts");
  const bytes = formWith(file(ROWS, true).replaceAll("@example.com", "@other.com"));
  const half = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length * 0.9));
    },
  });
  const cut = call(server, "POST /contacts/import", half, FORM).catch(() => "cut off");
  const staged = () => counted("select count(*) as count from contact_job_batches");
  while (staged() === 0) await Bun.sleep(LOOK_AGAIN_MS);
  await server.kill();
  expect(await cut).toBe("cut off");
  expect(staged()).toBeGreaterThan(0);
  server = await start();
  while (staged() > 0) await Bun.sleep(LOOK_AGAIN_MS);
  await server.stop();
  expect(counted("select count(*) as count from contacts")).toBe(before);
}, 600_000);
