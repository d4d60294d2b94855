// GET /installation: for owners, without a secret.
import { expect, test } from "bun:test";
import { version } from "../../package.json";
import { MIGRATIONS } from "../../src/store/migrations.ts";
import { ENGINE } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { letter } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const SECRET = "relay-password-4711";

test("an owner sees what the server is, how it sends, its certificate and its room (slow)", async () => {
  const submissionPort = await freePort();
  const config = {
    delivery: { transport: "smtp", ratePerSecond: 14, returnPathDomain: "b.example.com" },
    relay: { host: "relay.example", port: 587, username: "posthorn", password: SECRET },
    smtp: { submissionPort, hostname: "mail.example.com" },
  } as const;
  await using posthorn = await startPosthorn({ config });
  await posthorn.call("POST /contacts", { email: "ada@example.com" });
  posthorn.clock.advance(90_000);
  const { status, body } = await (await somebody(posthorn, "OWNER")).ask("GET /installation");
  expect([status, body]).toMatchObject([
    200,
    {
      version,
      schema: MIGRATIONS.length,
      startedAt: "2026-03-01T09:00:00.000Z",
      uptimeSeconds: 90,
      transport: { kind: "smtp", target: "relay.example:587", returnPathDomain: "b.example.com" },
      relay: { state: "UNKNOWN" },
      limits: { ratePerSecond: 14, requestsPerMinute: 1000 },
      certificate: { subject: "CN=mail.example.com", isSelfSigned: true },
      dataDirectory: { path: posthorn.dataDir },
      backup: { everySeconds: null, to: null, isEncrypted: false, last: null },
      counts: { workspaces: 1, contacts: 1, people: 1 },
    },
  ]);
  expect(body.engine).toStartWith(ENGINE === "sqlite" ? "SQLite 3" : "PostgreSQL ");
  expect(body.ports).toEqual([expect.stringContaining(String(submissionPort))]);
  expect(Date.parse(body.certificate.validTo)).toBeGreaterThan(posthorn.clock.nowMs());
  expect(body.residentBytes).toBeGreaterThan(1_000_000);
  expect(body.dataDirectory.totalBytes).toBeGreaterThan(body.dataDirectory.freeBytes);
  expect(body.database.bytes).toBeGreaterThan(10_000);
  expect(body.database.space === null).toBe(ENGINE === "postgres");
  expect(JSON.stringify(body)).not.toContain(SECRET);
});

test("without ports for mail there is no certificate, and no limit is null", async () => {
  await using posthorn = await workspace({ config: { limits: { requestsPerMinute: 0, executionDays: 0 } } });
  const { body } = await (await somebody(posthorn, "OWNER")).ask("GET /installation");
  expect(body).toMatchObject({
    ports: [],
    certificate: null,
    httpCertificate: null,
    transport: { kind: "capture", target: null },
  });
  expect(body.limits).toMatchObject({ ratePerSecond: null, requestsPerMinute: null, executionDays: null });
});

test("it knows what the relay has said last (slow)", async () => {
  await using posthorn = await workspace();
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  const { body } = await (await somebody(posthorn, "OWNER")).ask("GET /installation");
  expect(body.relay).toMatchObject({ state: "AWAY", reply: "connect ECONNREFUSED" });
});

test("nobody else sees it: no key, no other role", async () => {
  await using posthorn = await workspace();
  const { status, body } = await ask(posthorn, "GET /installation");
  expect([status, body.error.code]).toEqual([403, "FORBIDDEN"]);
  for (const role of ["ADMIN", "DEVELOPER", "SUPPORT"] as const) {
    const reply = await (await somebody(posthorn, role)).ask("GET /installation");
    expect([role, reply.status, reply.body.error?.code]).toEqual([role, 403, "FORBIDDEN"]);
  }
});

test("an owner sees every setting, without secrets, and nobody else does", async () => {
  await using posthorn = await startPosthorn({
    config: { relay: { password: SECRET }, limits: { requestsPerMinute: 7 } },
    origins: new Map([["limits.requests_per_minute", { source: "FILE", place: "/etc/posthorn/config.toml" }]]),
  });
  const { body } = await (await somebody(posthorn, "OWNER")).ask("GET /installation/configuration");
  const of = (key: string) => body.data.find((setting: { key: string }) => setting.key === key);
  expect(of("limits.requests_per_minute")).toEqual({
    ...{ key: "limits.requests_per_minute", value: 7, isSecret: false },
    ...{ source: "FILE", place: "/etc/posthorn/config.toml" },
    ...{ fallback: 1000, change: "LIVE", form: "NUMBER", choices: [] },
  });
  expect(of("relay.password")).toMatchObject({ value: null, isSecret: true });
  expect(JSON.stringify(body)).not.toContain(SECRET);
  expect((await (await somebody(posthorn, "ADMIN")).ask("GET /installation/configuration")).status).toBe(403);
});
