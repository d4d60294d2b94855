// A server that carries its mails on a thread of its own, to a relay that counts them and limits its sessions.
import { expect, test } from "bun:test";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import { createLog } from "../../src/base/log.ts";
import { lookAtSessions } from "../../src/operator/operation/doctor/store.ts";
import { loadSecrets } from "../../src/base/secrets.ts";
import { startServer } from "../../src/whole/server.ts";
import { TestClock } from "../support/clock.ts";
import { freshDatabase, freshDirectory } from "../support/database.ts";
import { type Relay, startRelay } from "../support/relay.ts";
import { TableResolver } from "../support/resolver.ts";
import { addFirstWorkspace } from "../support/workspaces.ts";

const RECIPIENTS = Array.from({ length: 150 }, (_, number) => `r${number}@example.com`).sort();

async function withThread(relay: Relay) {
  const [directory, { url }] = [freshDirectory(), await freshDatabase()];
  const config: Config = {
    ...DEFAULTS,
    http: { ...DEFAULTS.http, port: 0, baseUrl: "http://mail.example.com" },
    data: { dir: directory.path },
    database: { url, connections: 4 },
    smtp: { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0 },
    delivery: { ...DEFAULTS.delivery, transport: "smtp", ratePerSecond: 0, concurrency: 5 },
    relay: { ...DEFAULTS.relay, host: "127.0.0.1", port: relay.port, tls: "none" },
  };
  const logLines: string[] = [];
  const write = (line: string) => logLines.push(line);
  const log = createLog({ level: "info", format: "text", clock: new TestClock(), write });
  const swaps = { log, resolver: new TableResolver(), loops: "settled by hand" } as const;
  const server = await startServer(config, swaps);
  const keys = await addFirstWorkspace({ store: server.store, secrets: loadSecrets(null, directory.path) });
  const headers = { authorization: `Bearer ${keys?.secret}`, "content-type": "application/json" };
  const sendToAll = async () => {
    for (const to of [0, 50, 100].map((from) => RECIPIENTS.slice(from, from + 50))) {
      const body = JSON.stringify({ to, from: "hello@example.test", subject: "Hi", body: "<p>Hi</p>" });
      expect((await fetch(`${server.url}/v1/send`, { method: "POST", headers, body })).status).toBe(200);
    }
    await server.settle();
  };
  const states = () =>
    server.store.read(
      (reader) => reader.all<{ status: string; attempts: number; count: number }>`
        select status, attempts, count(*) as count from emails group by status, attempts`,
    );
  const stop = async () => {
    await server[Symbol.asyncDispose]();
    directory.remove();
  };
  const sessions = () => lookAtSessions({ store: server.store, config, ways: server.ways.all, machineMs: Date.now() });
  return { sendToAll, states, sessions, logLines, [Symbol.asyncDispose]: stop };
}

function recipientsAt(relay: Relay): string[] {
  return relay.mails.map(({ envelope }) => envelope.to[0] ?? "").sort();
}

test("every mail leaves once, over as many connections as are configured", async () => {
  await using relay = await startRelay();
  await using server = await withThread(relay);
  await server.sendToAll();
  expect(recipientsAt(relay)).toEqual(RECIPIENTS);
  // Of all five, one is kept for other workspaces.
  expect(relay.connections).toBe(4);
  expect(await server.states()).toEqual([{ status: "SENT", attempts: 1, count: RECIPIENTS.length }]);
});

test("every mail leaves once at the first attempt where the relay takes so many in a session, which is said once", async () => {
  await using relay = await startRelay({ mailsPerSession: 7 });
  await using server = await withThread(relay);
  await server.sendToAll();
  expect(recipientsAt(relay)).toEqual(RECIPIENTS);
  expect(await server.states()).toEqual([{ status: "SENT", attempts: 1, count: RECIPIENTS.length }]);
  const said = server.logLines.filter((line) => line.includes("no more emails than this a session"));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("7");
  expect(await server.sessions()).toMatchObject([
    { check: "relay sessions", text: expect.stringContaining("7 emails") },
  ]);
});

test("every mail leaves once at the first attempt where the relay hangs up behind some", async () => {
  await using relay = await startRelay({ closesAfter: 7 });
  await using server = await withThread(relay);
  await server.sendToAll();
  expect(recipientsAt(relay)).toEqual(RECIPIENTS);
  expect(await server.states()).toEqual([{ status: "SENT", attempts: 1, count: RECIPIENTS.length }]);
});

test("every mail leaves once where the relay allows a single connection", async () => {
  const tooMany = "421 4.7.0 Too many connections";
  await using relay = await startRelay({ script: { connect: ["220 ok", ...Array<string>(50).fill(tooMany)] } });
  await using server = await withThread(relay);
  await server.sendToAll();
  expect(recipientsAt(relay)).toEqual(RECIPIENTS);
  expect(await server.states()).toEqual([{ status: "SENT", attempts: 1, count: RECIPIENTS.length }]);
  expect(server.logLines.filter((line) => line.includes("next hop"))).toEqual([]);
});
