// Alerts: the operator is told once when something begins, and once when it is over.
import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { simpleParser } from "mailparser";
import { alertLoops, type AlertsOptions } from "../../src/operator/alerts/alerts.ts";
import { selfSigned } from "../../src/base/certificates/self-signed.ts";
import { DAY_MS, iso, MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import { findLeftMail, markComplained } from "../../src/mail/emails/feedback/feedback.ts";
import { createLog } from "../../src/base/log.ts";
import { Metrics } from "../../src/base/metrics/metrics.ts";
import { needsOfTime } from "../../src/operator/operation/needs/needs.ts";
import { setMarketingStopped } from "../../src/tenant/workspaces/queries.ts";
import { holdAll, releaseAll } from "../../src/store/hold.ts";
import { cliBeside } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { freshDirectory } from "../support/database.ts";
import { RecordingTransport } from "../support/transport.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { startRelay } from "../support/relay.ts";

const OPERATOR = "ops@operator.example";
const AWAY = { kind: "unreachable", reply: "connect ECONNREFUSED 192.0.2.9:587" } as const;

const directory = freshDirectory();
afterAll(directory.remove);

type Called = { readonly headers: Headers; readonly body: Json };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that an alert calls. */
function chat(status = () => 200) {
  const calls: Called[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      calls.push({ headers: request.headers, body: await request.json() });
      return new Response("", { status: status() });
    },
  });
  closing.push(() => server.stop(true));
  return { calls, url: `http://127.0.0.1:${server.port}/hooks/abc` };
}

function started(alerts: Partial<typeof DEFAULTS.alerts>) {
  return startPosthorn({ config: { alerts: { ...DEFAULTS.alerts, ...alerts } } });
}

async function minutes(posthorn: Posthorn, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    posthorn.clock.advance(MINUTE_MS);
    await posthorn.settle();
  }
}

/** Nothing mends that by itself. */
function backupFails(posthorn: Posthorn, error: string): Promise<number> {
  return posthorn.store.write(
    (tx) => tx.run`
      insert into backups (name, started_at, ended_at, error) values ('a', ${tx.now}, ${tx.now}, ${error})`,
  );
}

const lettersTo = (posthorn: Posthorn, address: string) =>
  Promise.all(
    posthorn.transport.sent
      .filter(({ envelope }) => envelope.recipient === address)
      .map(({ raw }) => simpleParser(raw)),
  );
const subjects = async (posthorn: Posthorn) => (await lettersTo(posthorn, OPERATOR)).map(({ subject }) => subject);

const send = (posthorn: Posthorn, to = "ada@example.com") =>
  posthorn.call("POST /v1/send", {
    to,
    from: "shop@example.test",
    subject: "Hello",
    body: "<p>Hi</p>",
  });

test("a relay that is away is told once, and once that it is back", async () => {
  const { url, calls } = chat();
  await using posthorn = await started({ email: [OPERATOR], webhook: url });
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient === OPERATOR ? { kind: "accepted", reply: "250 Ok" } : AWAY;
  await send(posthorn);
  await minutes(posthorn, 10);
  expect(await subjects(posthorn)).toEqual([
    "127.0.0.1: The relay cannot be used: connect ECONNREFUSED 192.0.2.9:587. Email waits; posthorn doctor tries it",
  ]);
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  await minutes(posthorn, 10);
  expect((await subjects(posthorn)).slice(1)).toEqual([
    "127.0.0.1: over: The relay cannot be used: connect ECONNREFUSED 192.0.2.9:587. Email waits; posthorn doctor tries it",
  ]);
  expect(calls.map(({ body }) => [body.begun.length, body.over.length])).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(calls[0]?.body.text).toStartWith("127.0.0.1: The relay cannot be used: connect ECONNREFUSED");
});

test("what is over within a minute is not told", async () => {
  await using posthorn = await started({ email: [OPERATOR] });
  posthorn.transport.answer = () => AWAY;
  await send(posthorn);
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  posthorn.clock.advance(MINUTE_MS / 2);
  await posthorn.settle();
  await minutes(posthorn, 10);
  expect(await subjects(posthorn)).toEqual([]);
});

test("the letter comes from the verified domain, is signed, and is no template", async () => {
  await using posthorn = await started({ email: [OPERATOR] });
  await backupFails(posthorn, "Too many bounces {{ 1 | plus: 1 }} <b>");
  await minutes(posthorn, 3);
  const [letter] = await lettersTo(posthorn, OPERATOR);
  expect(letter?.from?.text).toBe('"Posthorn" <posthorn@example.test>');
  expect(letter?.headers.get("auto-submitted")).toBe("auto-generated");
  expect(letter?.headers.has("dkim-signature")).toBe(true);
  expect(letter?.text).toContain("The last backup failed: Too many bounces {{ 1 | plus: 1 }} <b>");
  expect(letter?.html).toContain("&lt;b&gt;");
});

test("an alert that cannot be sent is sent later, and the other recipients do not wait", async () => {
  let status = 500;
  const { url, calls } = chat(() => status);
  await using posthorn = await started({ email: [OPERATOR], webhook: url });
  await backupFails(posthorn, "Too many bounces");
  await minutes(posthorn, 2);
  expect(await subjects(posthorn)).toHaveLength(1);
  expect(posthorn.logLines.filter((line) => line.includes("an alert could not be sent"))).not.toBeEmpty();
  status = 204;
  const failed = calls.length;
  await minutes(posthorn, 5);
  expect(calls).toHaveLength(failed + 1);
  expect(await subjects(posthorn)).toHaveLength(1);
});

test("the calls are signed with the secret", async () => {
  const { url, calls } = chat();
  const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  await using posthorn = await started({ webhook: url, webhookSecret });
  await backupFails(posthorn, "Too many bounces");
  await minutes(posthorn, 2);
  expect(calls[0]?.headers.get("webhook-signature")).toStartWith("v1,");
});

test("a call that is repeated has the same id, so that its receiver can tell", async () => {
  let status = 500;
  const { url, calls } = chat(() => status);
  const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  await using posthorn = await started({ webhook: url, webhookSecret });
  await backupFails(posthorn, "Too many bounces");
  await minutes(posthorn, 2);
  status = 204;
  await minutes(posthorn, 3);
  expect(calls.length).toBeGreaterThan(1);
  expect(new Set(calls.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
});

test("a restart tells nothing again", async () => {
  const { url, calls } = chat();
  const dataDir = join(directory.path, "again");
  mkdirSync(dataDir);
  const options = { config: { alerts: { ...DEFAULTS.alerts, webhook: url } }, dataDir };
  const clock = new TestClock();
  for (let start = 0; start < 2; start++) {
    await using posthorn = await startPosthorn({ ...options, clock });
    if (start === 0) await backupFails(posthorn, "No room");
    await minutes(posthorn, 5);
    expect(calls).toHaveLength(1);
  }
});

test("a held installation tells nothing", async () => {
  const { url, calls } = chat();
  await using posthorn = await started({ webhook: url });
  await backupFails(posthorn, "No room");
  await posthorn.store.write(holdAll);
  await minutes(posthorn, 5);
  expect(calls).toHaveLength(0);
  await posthorn.store.write(releaseAll);
  await minutes(posthorn, 2);
  expect(calls).toHaveLength(1);
});

test("email that waits for longer than queue_after is told, and so are too many bounces", async () => {
  const { url, calls } = chat();
  await using posthorn = await started({ webhook: url, queueSeconds: 600 });
  const told = () => calls.flatMap(({ body }) => body.begun.map(({ key }: Json) => key));
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient.startsWith("gone")
      ? { kind: "bounced", reply: "550 5.1.1 No such user" }
      : { kind: "accepted", reply: "250 Ok" };
  for (let n = 0; n < 100; n++) await send(posthorn, `${n < 6 ? "gone" : "ada"}${n}@example.com`);
  await minutes(posthorn, 12);
  expect(told()).toEqual([expect.stringMatching(/^BOUNCE_RATE /)]);
  posthorn.transport.answer = () => AWAY;
  // A mail that is tried again is due again: the others wait.
  for (let n = 0; n < 20; n++) await send(posthorn);
  await minutes(posthorn, 9);
  expect(told().slice(1)).toEqual(["relay"]);
  await minutes(posthorn, 4);
  expect(told().slice(2)).toEqual(["queue"]);
});

test("posthorn alerts test tells everybody, and says who was not told", async () => {
  const { url, calls } = chat();
  await using relay = await startRelay();
  await using posthorn = await startPosthorn();
  const env = {
    POSTHORN_DELIVERY_TRANSPORT: "smtp",
    POSTHORN_HTTP_BASE_URL: "https://mail.example.com",
    POSTHORN_RELAY_HOST: "127.0.0.1",
    POSTHORN_RELAY_PORT: String(relay.port),
    POSTHORN_RELAY_TLS: "none",
    POSTHORN_ALERTS_EMAIL: OPERATOR,
    POSTHORN_ALERTS_WEBHOOK: url,
  };
  const told = await cliBeside(posthorn, ["alerts", "test"], env);
  expect(told).toEqual({ code: 0, out: `told: ${OPERATOR}\ntold: the webhook`, err: expect.any(String) });
  expect(calls[0]?.body.type).toBe("alert.test");
  const refused = await cliBeside(posthorn, ["alerts", "test"], {
    ...env,
    POSTHORN_ALERTS_WEBHOOK: "http://127.0.0.1:9/",
  });
  expect(refused.code).toBe(1);
  expect(refused.out).toContain("NOT told: the webhook: ");
  const nobody = await cliBeside(posthorn, ["alerts", "test"]);
  expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining("set alerts.email or alerts.webhook")]);
  const kept = await cliBeside(posthorn, ["alerts", "test"], { POSTHORN_ALERTS_EMAIL: OPERATOR });
  expect([kept.code, kept.err]).toEqual([1, expect.stringContaining('delivery.transport is "capture"')]);
});

test("an alert that one way will not have leaves by the next", async () => {
  const second = new RecordingTransport();
  await using posthorn = await startPosthorn({
    wayTransports: { backup: second },
    config: {
      http: { baseUrl: "https://mail.example.com" },
      delivery: { transport: "smtp" },
      relay: { host: "smtp.example.com" },
      ways: [
        {
          ...{ name: "backup", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 10, price: null },
          relay: { ...DEFAULTS.relay, host: "smtp.backup.example" },
          ses: DEFAULTS.ses,
        },
      ],
      alerts: { ...DEFAULTS.alerts, email: ["ops@example.com"] },
    },
  });
  posthorn.transport.answer = () => ({ kind: "later", reply: "450 4.7.1 Try again later" });
  await backupFails(posthorn, "No room");
  await minutes(posthorn, 3);
  expect(second.recipients).toEqual(["ops@example.com"]);
});

/** Looks once a minute with what this server sees beside what is in the store; answers whom and what it told. */
async function watchedBy(posthorn: Posthorn, sees: Partial<AlertsOptions>, config: Partial<Config> = {}) {
  const [looking] = alertLoops({
    settings: { problems: [] },
    store: posthorn.store,
    config: { ...DEFAULTS, alerts: { ...DEFAULTS.alerts, email: [OPERATOR] }, ...config },
    secrets: posthorn.secrets,
    log: createLog({ level: "error", format: "text", clock: posthorn.clock, write: () => undefined }),
    relay: () => ({ ...ANSWERING, ways: [] }),
    stream: null,
    sendNow: () => Promise.resolve({ kind: "accepted", reply: "250 Ok" }),
    ...sees,
  });
  const look = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) {
      await looking?.step(new Metrics());
      posthorn.clock.advance(MINUTE_MS);
    }
  };
  const news = async () => {
    const rows = await posthorn.store.read(
      (reader) => reader.all<{ content: string }>`select content from alerts order by seq`,
    );
    const keys = (some: Json[]) => some.map(({ key }) => key as string);
    return rows.map(({ content }) => JSON.parse(content)).map(({ begun, over }) => [keys(begun), keys(over)]);
  };
  return { look, news };
}

const ANSWERING = { state: "ANSWERING", since: null, attemptedAt: null, reply: null } as const;
const wayAway = { ...ANSWERING, name: "backup", state: "AWAY", reply: "connect ECONNREFUSED" };

test("a way out that is away is told, though email leaves by the others, and that it is back", async () => {
  await using posthorn = await startPosthorn();
  let ways: Json[] = [wayAway];
  const { look, news } = await watchedBy(posthorn, { relay: () => ({ ...ANSWERING, ways }) });
  await look(3);
  ways = [];
  await look(5);
  expect(await news()).toEqual([
    [["way backup"], []],
    [[], ["way backup"]],
  ]);
});

test("a standby that is behind is told after ten minutes, and that it is there again", async () => {
  await using posthorn = await startPosthorn();
  let seenAt = iso(posthorn.clock.nowMs());
  const state = () =>
    Promise.resolve({ isRefused: false, error: null, lagMs: 0, snapshotAt: seenAt, standby: { host: "b", seenAt } });
  const { look, news } = await watchedBy(posthorn, { stream: { state } as never });
  await look(10);
  expect(await news()).toEqual([]);
  await look(4);
  expect(await news()).toEqual([[["standby"], []]]);
  seenAt = iso(posthorn.clock.nowMs());
  await look(5);
  expect(await news()).toEqual([
    [["standby"], []],
    [[], ["standby"]],
  ]);
});

test("a certificate that ends is told, and that it was renewed", async () => {
  await using posthorn = await startPosthorn();
  const dir = join(directory.path, "certificate");
  mkdirSync(dir);
  const [certFile, keyFile] = [join(dir, "cert.pem"), join(dir, "key.pem")];
  const write = (madeAtMs: number) => {
    const { cert, key } = selfSigned("localhost", madeAtMs);
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
  };
  // It is valid for ten years from the day before.
  write(posthorn.clock.nowMs() - 3645 * DAY_MS);
  const { look, news } = await watchedBy(posthorn, {}, { http: { ...DEFAULTS.http, certFile, keyFile } });
  await look(3);
  write(posthorn.clock.nowMs());
  await look(5);
  expect(await news()).toEqual([
    [["certificate HTTPS"], []],
    [[], ["certificate HTTPS"]],
  ]);
});

test("a domain that fails, one that lost a record, and marketing email that is stopped are told", async () => {
  await using posthorn = await startPosthorn();
  const { look, news } = await watchedBy(posthorn, {});
  const checks = { "SPF example.test": { state: "MISSING", problem: "Gone.", lostSince: "2026-03-01T09:00:00.000Z" } };
  await posthorn.store.write(async (tx) => {
    await tx.run`update domains set failing_since = ${tx.now}, lost_since = ${tx.now}, checks = ${JSON.stringify(checks)}`;
    await setMarketingStopped(tx, 1, "Too many complaints.");
  });
  await look(3);
  await posthorn.store.write(async (tx) => {
    await tx.run`update domains set failing_since = null, lost_since = null, checks = null`;
    await setMarketingStopped(tx, 1, null);
  });
  await look(5);
  const keys = ["domain example.test default", "record SPF example.test default", "stopped default"];
  expect((await news()).map((some) => some.map((one) => one.toSorted()))).toEqual([
    [keys, []],
    [[], keys],
  ]);
});

test("too many complaints are told, and that a backup that failed was made", async () => {
  await using posthorn = await startPosthorn();
  for (let n = 0; n < 100; n++) await send(posthorn, `ada${n}@example.com`);
  await posthorn.settle();
  for (const { id } of (await posthorn.call("GET /emails?limit=3")).body.data)
    await posthorn.store.write(async (tx) => {
      const mail = await findLeftMail(tx, id);
      if (mail !== null && mail !== "early") await markComplained(tx, mail);
    });
  await backupFails(posthorn, "No room");
  const { look, news } = await watchedBy(posthorn, {});
  await look(3);
  expect((await news()).map(([begun]) => begun?.toSorted())).toEqual([["COMPLAINT_RATE 1", "backup"]]);
  await posthorn.store.write(
    (tx) => tx.run`insert into backups (name, started_at, ended_at, bytes) values ('b', ${tx.now}, ${tx.now}, 1)`,
  );
  await look(5);
  expect((await news()).at(-1)).toEqual([[], ["backup"]]);
});

test("a disk with little room is told by what is free on it", () => {
  const need = (freeBytes: number) => {
    const disk = { path: "/var/lib/posthorn", freeBytes, totalBytes: 100e9 };
    const backup = { everySeconds: null, lastAt: null, lastError: null };
    return needsOfTime({ disk, backup, certificates: [] } as never, 0).map(({ key }) => key);
  };
  expect([need(1e9), need(50e9)]).toEqual([["disk"], []]);
});
