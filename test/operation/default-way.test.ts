// Owners choose the way out while the server runs: it is tried, followed at once, and never captures by accident what
// is to leave.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettingOrigins } from "../../src/base/config/settings.ts";
import { domainsOf, setDemo } from "../../src/tenant/domains/queries.ts";
import { cliBeside, jsonBeside } from "../support/cli.ts";
import { ENGINE } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { letter } from "../support/mails.ts";
import { somebody, type Somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { startRelay, type Relay } from "../support/relay.ts";
import { dialogue } from "../support/smtp-dialogue.ts";
import { startTranscriptServer } from "../support/transcript-server.ts";

const PATH = "/installation/configuration";
const LOGIN = { user: "posthorn", password: "correct horse" };
const ADDRESS = { http: { baseUrl: "http://mail.example.com" } };

const change = (owner: Somebody, values: Record<string, unknown>) => owner.ask(`PATCH ${PATH}`, { body: { values } });

const faultsIn = ({ status, body }: Json) => [
  status,
  Object.fromEntries((body.error?.errors ?? []).map(({ field, message }: Json) => [field, message])),
];

const smtpTo = ({ port }: Pick<Relay, "port">) => ({
  ...{ "delivery.transport": "smtp", "relay.host": "127.0.0.1", "relay.port": port, "relay.tls": "none" },
  ...{ "relay.user": LOGIN.user, "relay.password": LOGIN.password },
});

/** With an address that recipients reach. */
async function withOwner(options: StartOptions = {}) {
  const posthorn = await startPosthorn({ ...options, config: { ...ADDRESS, ...options.config } });
  const owner = await somebody(posthorn, "OWNER");
  const first = async () => (await owner.ask("GET /installation/ways")).body.data[0];
  return { posthorn, owner, first, [Symbol.asyncDispose]: () => posthorn[Symbol.asyncDispose]() };
}

/** Sends an email, and answers its state once nothing is due. */
async function sent(posthorn: Posthorn): Promise<Json> {
  const { body } = await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  return (await posthorn.call(`GET /emails/${body.data.emails[0].email}`)).body;
}

test("a relay that is away, or takes no such login, is not kept", async () => {
  await using relay = await startRelay({ login: LOGIN });
  await using place = await withOwner({ isReal: true });
  const { owner, first } = place;
  const wrong = await change(owner, { ...smtpTo(relay), "relay.password": "wrong" });
  expect(faultsIn(wrong)).toEqual([
    422,
    { "values.relay.password": expect.stringContaining("does not work: The relay did not accept our login") },
  ]);
  const nowhere = await change(owner, smtpTo({ port: await freePort() }));
  expect(faultsIn(nowhere)).toEqual([422, { "values.relay.host": expect.stringContaining("does not work: ") }]);
  expect((await first()).kind).toBe("capture");
});

test("email that was kept here leaves by a relay, and is kept again after a reset", async () => {
  await using relay = await startRelay({ login: LOGIN });
  await using place = await withOwner({ isReal: true });
  const { posthorn, owner, first } = place;
  expect([(await sent(posthorn)).status, relay.mails.length]).toEqual(["SENT", 0]);
  const { status, body } = await change(owner, smtpTo(relay));
  expect(posthorn.server.ways.used[0].kind).toBe("smtp");
  expect([status, JSON.stringify(body).includes(LOGIN.password)]).toEqual([200, false]);
  expect(await first()).toMatchObject({ kind: "smtp", host: "127.0.0.1", problem: null, hasPassword: true });
  expect((await owner.ask("POST /installation/ways/default/try")).body.works).toBe(true);
  expect((await sent(posthorn)).status).toBe("SENT");
  expect(relay.mails.map(({ user }) => user)).toEqual([LOGIN.user]);
  expect((await owner.ask("GET /installation")).body.transport).toMatchObject({ kind: "smtp" });

  expect((await change(owner, { "delivery.transport": null })).status).toBe(200);
  expect([(await sent(posthorn)).status, relay.mails.length, (await first()).kind]).toEqual(["SENT", 1, "capture"]);
});

test("email in hand is finished as it was", async () => {
  await using place = await withOwner();
  const { posthorn, owner } = place;
  const { promise, resolve } = Promise.withResolvers<void>();
  posthorn.transport.answer = () => promise.then(() => ({ kind: "accepted", reply: "250 Ok" }));
  const first = sent(posthorn);
  while (posthorn.transport.sent.length === 0) await Bun.sleep(1);
  await change(owner, { "delivery.transport": "smtp", "relay.host": "relay.example" });
  resolve();
  expect((await first).status).toBe("SENT");
  expect((await sent(posthorn)).status).toBe("SENT");
  const hops = await posthorn.store.read((reader) => reader.all<Json>`select name from hops`);
  expect(hops).toEqual([{ name: "relay.example" }]);
});

test("the address comes first, and has to be confirmed", async () => {
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  const smtp = { "delivery.transport": "smtp", "relay.host": "relay.example" };
  expect(faultsIn(await change(owner, smtp))).toEqual([
    422,
    { "values.http.base_url": expect.stringContaining("must be an address that recipients can reach") },
  ]);
  const address = { "http.base_url": "http://mail.example.com" };
  const early = { "values.http.base_url": "http.base_url has to be confirmed first." };
  expect(faultsIn(await change(owner, { ...smtp, ...address }))).toEqual([422, early]);
  expect((await change(owner, address)).status).toBe(200);
  expect(faultsIn(await change(owner, smtp))).toEqual([422, early]);
  await owner.ask(`POST ${PATH}/confirm`);
  expect((await change(owner, smtp)).status).toBe(200);
  expect(faultsIn(await change(owner, { "http.base_url": null }))[0]).toBe(422);
});

test("a password that is kept, or in the file, goes to no other place", async () => {
  const origins: SettingOrigins = new Map(
    ["delivery.transport", "relay.user", "relay.password"].map((key) => [
      key,
      { source: "FILE", place: "/etc/p.toml" },
    ]),
  );
  await using place = await withOwner();
  await change(place.owner, { ...smtpTo({ port: 25 }), "ses.access_key_id": "AKIA", "ses.secret_access_key": "s" });
  const again = expect.stringContaining("has to be entered again");
  for (const elsewhere of [
    { "relay.host": "evil.example" },
    { "relay.port": 26 },
    { "relay.verify_certificate": false },
  ])
    expect(faultsIn(await change(place.owner, elsewhere))).toEqual([422, { "values.relay.password": again }]);
  expect(faultsIn(await change(place.owner, { "ses.endpoint": "https://evil.example" }))).toEqual([
    422,
    { "values.ses.secret_access_key": again },
  ]);
  const entered = { "relay.host": "new.example", "relay.password": "another" };
  expect((await change(place.owner, entered)).status).toBe(200);
  await using filed = await withOwner({
    origins,
    config: { ...ADDRESS, delivery: { transport: "smtp" }, relay: { ...LOGIN, host: "relay.example" } },
  });
  expect(faultsIn(await change(filed.owner, { "relay.host": "evil.example" }))).toEqual([
    422,
    { "values.relay.password": again },
  ]);
});

test("email waits, and is not kept for good, where a part of the way was dropped", async () => {
  await using place = await withOwner();
  const { posthorn, owner, first } = place;
  await change(owner, smtpTo({ port: 25 }));
  await jsonBeside(posthorn, ["settings", "reset", "relay.host"]);
  await posthorn.settle();
  const problem = 'relay.host must be set when delivery.transport is "smtp"';
  expect(await first()).toMatchObject({ kind: "smtp", problem, problemCode: "SETTING" });
  expect([(await sent(posthorn)).status, posthorn.transport.sent.length]).toEqual(["QUEUED", 0]);
  expect((await cliBeside(posthorn, ["doctor"])).out).toContain(problem);
  // Nothing else is held up by it.
  expect((await change(owner, { "retention.mail_days": 90 })).status).toBe(200);
  expect(faultsIn(await change(owner, { "relay.host": null }))[0]).toBe(422);
  const mended = { "relay.host": "relay.example", "relay.password": LOGIN.password };
  expect((await change(owner, mended)).status).toBe(200);
  posthorn.clock.advance(60_000);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(1);
});

test("email waits while links in it would be dead, as the address was dropped", async () => {
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  await change(owner, { "http.base_url": "http://mail.example.com" });
  await owner.ask(`POST ${PATH}/confirm`);
  expect((await change(owner, smtpTo({ port: 25 }))).status).toBe(200);
  await jsonBeside(posthorn, ["settings", "reset", "http.base_url"]);
  await posthorn.settle();
  const [first] = (await owner.ask("GET /installation/ways")).body.data;
  expect(first).toMatchObject({ problemCode: "SETTING", problem: expect.stringContaining("http.base_url must be") });
  expect([(await sent(posthorn)).status, posthorn.transport.sent.length]).toEqual(["QUEUED", 0]);
  expect((await change(owner, { "http.base_url": "http://new.example.com" })).status).toBe(200);
  await owner.ask(`POST ${PATH}/confirm`);
  posthorn.clock.advance(60_000);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(1);
});

test("the next start and the commands beside it go by what is kept", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-"));
  const env = { POSTHORN_HTTP_BASE_URL: ADDRESS.http.baseUrl };
  {
    const { posthorn, owner } = await withOwner({ dataDir });
    await change(owner, smtpTo({ port: 25 }));
    const [way] = await jsonBeside(posthorn, ["way", "list"], env);
    expect(way).toMatchObject({ name: "default", transport: "smtp", place: "127.0.0.1:25" });
    const reset = await cliBeside(posthorn, ["reset", "--workspace", "default", "--test"], env);
    expect([reset.code, reset.err]).toEqual([1, expect.stringContaining("delivery.transport is smtp")]);
    const kept = await jsonBeside(posthorn, ["settings", "list"], env);
    expect(kept).toContainEqual(expect.objectContaining({ key: "relay.password", value: "(secret)", problem: null }));
    await posthorn.end();
  }
  const again = await startPosthorn({ dataDir, config: ADDRESS });
  expect(again.server.ways.used[0]).toMatchObject({ kind: "smtp", relay: { host: "127.0.0.1", ...LOGIN } });
  await again.end();
  rmSync(dataDir, { recursive: true });
});

test("a try by hand names the server as its email does", async () => {
  await using relay = await startTranscriptServer(
    "S: 220 hi\nC: EHLO\nS: 250 hi\nC: MAIL\nS: 250 ok\nC: RCPT\nS: 250 ok",
  );
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  await change(owner, { "http.base_url": "http://mail.example.com" });
  await owner.ask(`POST ${PATH}/confirm`);
  const noLogin = { "relay.user": null, "relay.password": null };
  expect((await change(owner, { ...smtpTo(relay), ...noLogin })).status).toBe(200);
  expect(await cliBeside(posthorn, ["way", "try", "default"])).toMatchObject({ code: 0 });
  const names = relay.lines.flatMap((line) => /^EHLO (.*)/.exec(line)?.[1] ?? []);
  expect(new Set(names)).toEqual(new Set(["mail.example.com"]));
});

test("the domain to try things out with goes before the first email leaves", async () => {
  await using place = await withOwner();
  const { posthorn, owner } = place;
  await posthorn.store.write(async (tx) => {
    for (const { seq } of await domainsOf(tx, null)) await setDemo(tx, seq, true);
  });
  await change(owner, { "relay.host": "relay.example" });
  expect((await posthorn.call("GET /domains")).body.data).toHaveLength(1);
  await change(owner, { "delivery.transport": "smtp" });
  expect((await posthorn.call("GET /domains")).body.data).toEqual([]);
  expect(posthorn.logLines.join("\n")).toContain("was only for trying things out");
});

test("what depends on the kind of way follows", async () => {
  const port = await freePort();
  await using place = await withOwner({
    config: { delivery: { returnPathDomain: "bounces.example.com" }, smtp: { submissionPort: port } },
  });
  const { posthorn, owner } = place;
  const hello = async () => (await dialogue({ port }, "S: 220\nC: EHLO x\nS: 250"))[1];
  expect(await hello()).toContain("SMTPUTF8");
  const [domain] = (await posthorn.call("GET /domains")).body.data;
  const record = async () => (await posthorn.call(`GET /domains/${domain.id}`)).body;
  const spf = async () => (await record()).records.filter(({ purpose }: Json) => purpose === "SPF").length;
  expect([(await record()).service, await spf()]).toEqual([null, 2]);
  const watched = () => posthorn.store.read((reader) => reader.all`select name from watch_looks`);
  await posthorn.settle();
  expect(await watched()).toEqual([]);
  const ses = { "ses.access_key_id": "AKIA", "ses.secret_access_key": "s" };
  expect((await change(owner, { "delivery.transport": "ses", "ses.region": "eu-west-1", ...ses })).status).toBe(200);
  await posthorn.settle();
  expect([(await record()).service.name, await spf()]).toEqual(["Amazon SES", 1]);
  expect((await watched()).length).toBeGreaterThan(0);
  expect(await hello()).not.toContain("SMTPUTF8");
  await change(owner, { "delivery.transport": null });
  await posthorn.settle();
  expect([(await record()).service, await spf()]).toEqual([null, 2]);
});

test("a way of the file stays there", async () => {
  await using place = await withOwner({
    config: { ...ADDRESS, delivery: { transport: "smtp" }, relay: { host: "relay.example" } },
  });
  const { data } = (await place.owner.ask(`GET ${PATH}`)).body;
  const changeOf = (key: string) => data.find((one: Json) => one.key === key).change;
  expect(["relay.host", "relay.ca_file", "relay.provider"].map(changeOf)).toEqual(["LIVE", "RESTART", "RESTART"]);
});

test.skipIf(ENGINE === "sqlite")("all nodes follow", async () => {
  await using place = await withOwner();
  const { posthorn, owner } = place;
  const other = await startPosthorn({ dataDir: posthorn.dataDir, clock: posthorn.clock, config: ADDRESS });
  await change(owner, { "delivery.transport": "smtp", "relay.host": "relay.example" });
  await other.settle();
  expect(other.server.ways.used[0]).toMatchObject({ kind: "smtp", relay: { host: "relay.example" } });
  await other.end();
});
