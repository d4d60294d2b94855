// Each sender domain has a state at each way out: found by hand-overs and looks, and shown wherever somebody may mend
// it.
import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import type { WaySettings } from "../../src/base/config/ways.ts";
import { askRelay, SenderChecks } from "../../src/sending/open-ways/sender-checks.ts";

import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { TestClock } from "../support/clock.ts";
import { freshDirectory } from "../support/database.ts";
import { cliBeside } from "../support/cli.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { startRelay } from "../support/relay.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { StandIn } from "../support/ses-stand-in.ts";
import { RecordingTransport } from "../support/transport.ts";

const BACKUP: WaySettings = {
  ...{ name: "backup", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 10, price: null },
  relay: { ...DEFAULTS.relay, host: "smtp.backup.example" },
  ses: DEFAULTS.ses,
};
const AWAY: HandoverOutcome = { kind: "unreachable", reply: "connect ECONNREFUSED 192.0.2.9:587" };
const UNKNOWN = "550 The from address does not match a verified Sender Identity";

async function started(options: StartOptions = {}) {
  const [first, second] = [new RecordingTransport(), new RecordingTransport()];
  const posthorn = await startPosthorn({
    ...options,
    transport: first,
    wayTransports: { backup: second },
    config: {
      delivery: { transport: "smtp" },
      relay: { host: "smtp.example.com" },
      ways: [BACKUP],
      ...options.config,
    },
  });
  return { posthorn, first, second };
}

async function sendMany(posthorn: Posthorn, count: number, subject = "Hi"): Promise<void> {
  for (let n = 0; n < count; n++) {
    const body = { to: `a${n}@example.com`, from: "shop@example.test", subject, body: "<p>Hi" };
    await posthorn.call("POST /v1/send", body);
    await posthorn.settle();
  }
}

const ENV = {
  POSTHORN_HTTP_BASE_URL: "https://mail.example.com",
  POSTHORN_DELIVERY_TRANSPORT: "smtp",
  POSTHORN_RELAY_HOST: "127.0.0.1",
  POSTHORN_RELAY_PORT: "9",
  POSTHORN_RELAY_TLS: "none",
};

test("what a way says of a sender is shown on both screens, in the overview, and by three commands", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  const owner = await somebody(posthorn, "OWNER");
  first.answer = () => ({ kind: "failed", reply: UNKNOWN, phase: "data" });
  await sendMany(posthorn, 4);
  expect([first.sent.length, second.sent.length]).toEqual([3, 4]);
  const refused = { problem: expect.stringContaining(UNKNOWN), problemCode: "way_refuses" };
  const domains = (await posthorn.call("GET /domains")).body.data;
  expect(domains[0].ways).toMatchObject([
    { way: "default", state: "WRONG", ...refused, problemValues: { reply: UNKNOWN } },
    { way: "backup", state: "UNKNOWN", problem: null },
  ]);
  const ways = (await owner.ask("GET /installation/ways")).body.data;
  expect(ways).toMatchObject([
    { name: "default", state: { circuit: "CLOSED" }, refusedDomains: [{ domain: "example.test", ...refused }] },
    { name: "backup", refusedDomains: [] },
  ]);
  expect((await posthorn.call("GET /overview")).body.attention).toContainEqual(
    expect.objectContaining({ kind: "WAY_REFUSES", way: "default", domain: "example.test", ...refused }),
  );
  const listed = await cliBeside(posthorn, ["way", "list"], ENV);
  expect(listed.err).toBe("");
  expect(listed.out).toContain("does not take email of example.test");
  const tried = (await owner.ask("POST /installation/ways/default/try")).body;
  expect(tried).toMatchObject({ works: true, refusedDomains: [{ domain: "example.test" }] });
  expect((await cliBeside(posthorn, ["status"], ENV)).out).toContain("default is not used for example.test");
  const doctor = await cliBeside(posthorn, ["doctor"], ENV);
  expect(doctor.out).toContain("It does not take email of example.test.");
});

test("a way that takes the domain again is used for it, and shown so", async () => {
  const { posthorn, first } = await started();
  await using _ = posthorn;
  first.answer = () => ({ kind: "failed", reply: UNKNOWN, phase: "data" });
  await sendMany(posthorn, 4);
  first.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  posthorn.clock.advance(MINUTE_MS);
  await sendMany(posthorn, 2);
  expect((await posthorn.call("GET /domains")).body.data[0].ways[0]).toMatchObject({ state: "OK", problem: null });
  expect((await posthorn.call("GET /overview")).body.attention).not.toContainEqual(
    expect.objectContaining({ kind: "WAY_REFUSES" }),
  );
});

test("the next process knows what the one before has found out", async () => {
  const [dataDir, clock] = [freshDirectory().path, new TestClock()];
  const { posthorn, first, second } = await started({ dataDir, clock });
  first.answer = () => ({ kind: "failed", reply: UNKNOWN, phase: "data" });
  await sendMany(posthorn, 4);
  second.answer = () => AWAY;
  second.fault = AWAY.reply;
  await sendMany(posthorn, 4);
  await posthorn[Symbol.asyncDispose]();
  const again = await started({ dataDir, clock });
  await using _ = again.posthorn;
  again.first.answer = first.answer;
  clock.advance(2 * HOUR_MS);
  await again.posthorn.settle();
  expect([again.first.sent.length, again.second.sent.length]).toEqual([1, 4]);
});

test("Amazon SES learns of a domain, and is asked about it, also where it is only the second way", async () => {
  const ses = new StandIn();
  const zones: Record<string, Zone> = {};
  const credentials = { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "secret" };
  const way: WaySettings = {
    ...{ name: "amazon", kind: "ses", ratePerSecond: 0, burst: 1, concurrency: 10, price: null },
    relay: DEFAULTS.relay,
    ses: { ...DEFAULTS.ses, region: "eu-west-1", endpoint: ses.endpoint, ...credentials },
  };
  const { posthorn } = await started({ config: { ways: [way] }, resolver: new TableResolver(zones) });
  await using _ = posthorn;
  const domain = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
  const verify = async (): Promise<Json> => (await ask(posthorn, `POST /domains/${domain.id}/verify`)).body;
  expect((await verify()).ways[1]).toMatchObject({ way: "amazon", state: "UNKNOWN" });
  expect(ses.calls).toEqual([]);
  zones[domain.records[0].name] = { TXT: [domain.records[0].value] };
  const told = await verify();
  expect(ses.calls.map(({ what }) => what)).toEqual([
    "GET /v2/email/identities/shop.example",
    "POST /v2/email/identities",
  ]);
  // What another way than the default one says decides nothing.
  expect(told).toMatchObject({
    ...{ verified: true, service: null },
    ways: [
      { way: "default", state: "UNKNOWN" },
      { way: "amazon", state: "MISSING", problemCode: "ses_added" },
    ],
  });
  ses.identity = { origin: "EXTERNAL", selector: domain.selector, status: "SUCCESS", verified: true };
  expect((await verify()).ways[1]).toMatchObject({ state: "OK", problem: null });
  await ses.stop();
});

test("a way that is added is asked about the domains that are verified, within a step", async () => {
  const ses = new StandIn();
  const zones: Record<string, Zone> = {};
  const { posthorn } = await started({ config: { ways: [] }, resolver: new TableResolver(zones) });
  await using _ = posthorn;
  const owner = await somebody(posthorn, "OWNER");
  const domain = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
  zones[domain.records[0].name] = { TXT: [domain.records[0].value] };
  await ask(posthorn, `POST /domains/${domain.id}/verify`);
  await posthorn.settle();
  const access = { region: "eu-west-1", accessKeyId: "AKIAEXAMPLE", secretAccessKey: "secret" };
  const body = { name: "amazon", kind: "ses", endpoint: ses.endpoint, ...access };
  expect((await owner.ask("POST /installation/ways", { body })).status).toBe(201);
  await posthorn.settle();
  expect(ses.calls.map(({ what }) => what)).toContain("POST /v2/email/identities");
  const shown = (await posthorn.call(`GET /domains/${domain.id}`)).body.ways;
  expect(shown[1]).toMatchObject({ way: "amazon", state: "MISSING" });
  await owner.ask("DELETE /installation/ways/amazon");
  expect(await posthorn.store.read((reader) => reader.all`select way from way_domains where way = 'amazon'`)).toEqual(
    [],
  );
  await ses.stop();
});

test("a page that checks a domain again and again does not ask its relay as often", async () => {
  await using relay = await startRelay({ script: { mail: "550 This domain is not associated with your account" } });
  const config = { ...DEFAULTS, delivery: { ...DEFAULTS.delivery, transport: "smtp" as const } };
  const to = { ...DEFAULTS.relay, host: "127.0.0.1", port: relay.port, tls: "none" as const };
  const way = {
    ...BACKUP,
    relay: to,
    source: "CONFIGURATION" as const,
    pausedAt: null,
    updatedAt: null,
    problem: null,
    problemCode: null,
  };
  const asked = new SenderChecks({ config, ways: () => [way] });
  for (let look = 0; look < 3; look++)
    expect(await asked.see("shop.example")).toMatchObject([{ way: "backup", known: { state: "WRONG" } }]);
  expect(relay.connections).toBe(1);
  await asked.close();
});

test("posthorn way try says which domains a way that works does not take", async () => {
  await using relay = await startRelay({ script: { rcpt: "553 5.7.1 Sender address rejected: not owned by user" } });
  const { posthorn } = await started();
  await using _ = posthorn;
  const env = { ...ENV, POSTHORN_RELAY_PORT: String(relay.port) };
  const { code, out } = await cliBeside(posthorn, ["way", "try", "default"], env);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/default works: .*\nBut it does not take email of example.test/),
  ]);
  expect(relay.mails).toEqual([]);
});

test.each(["mail", "rcpt"] as const)(
  "a relay that knows its senders at %s is asked without a message",
  async (step) => {
    await using relay = await startRelay({
      script: { [step]: "553 5.7.1 Sender address rejected: not owned by user" },
    });
    const address = { host: "127.0.0.1", port: relay.port, tls: "none", user: null, password: null, ca: null } as const;
    const found = await askRelay(
      { ...address, verifyCertificate: true, heloName: "localhost", timeoutMs: 300_000 },
      "shop.example",
    );
    expect(found).toMatchObject({ state: "WRONG", code: "way_refuses" });
    relay.script = {};
    const other = await askRelay(
      { ...address, verifyCertificate: true, heloName: "localhost", timeoutMs: 300_000 },
      "shop.example",
    );
    expect(other).toEqual({ state: "UNKNOWN", problem: null });
    expect(relay.mails).toEqual([]);
  },
);
