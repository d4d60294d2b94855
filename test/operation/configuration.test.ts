// Owners change settings in the interface while the server runs.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettingOrigins } from "../../src/base/config/settings.ts";
import { allRowsOf } from "../support/store.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { askAsNobody, somebody, Somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { Receiver } from "../support/receiver.ts";
import { MIA, SignInProvider } from "../support/sign-in-provider.ts";
import { workspace } from "../support/workspace.ts";

const PATH = "/installation/configuration";
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

const change = (owner: Somebody, values: Record<string, unknown>, more = {}) =>
  owner.ask(`PATCH ${PATH}`, { body: { values, ...more } });

async function settingOf(owner: Somebody, key: string): Promise<Json> {
  const { body } = await owner.ask(`GET ${PATH}`);
  return body.data.find((one: Json) => one.key === key);
}

const faultsIn = ({ status, body }: Json) => [
  status,
  Object.fromEntries(body.error.errors.map(({ field, message }: Json) => [field, message])),
];

/** As the store has them. */
const rows = (posthorn: Posthorn) => posthorn.store.read((reader) => reader.all<Json>`select * from kept_settings`);

test("an owner changes settings, which count at once and after a restart", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-"));
  {
    const posthorn = await startPosthorn({ dataDir });
    const owner = await somebody(posthorn, "OWNER");
    const { status, body } = await change(owner, { "limits.requests_per_minute": 3, "retention.mail_days": 180 });
    expect([status, body.updatedBy.name, body.problems, body.unconfirmed]).toEqual([200, "OWNER", [], null]);
    expect(await settingOf(owner, "retention.mail_days")).toMatchObject({
      ...{ value: 180, source: "INTERFACE", place: null, fallback: 365, change: "LIVE", form: "NUMBER" },
    });
    const asked = await Promise.all(Array.from({ length: 4 }, () => posthorn.call("GET /topics")));
    expect(asked.map((one) => one.status)).toEqual([200, 200, 200, 429]);
    await posthorn.end();
  }
  const again = await startPosthorn({ dataDir });
  const owner = await somebody(again, "OWNER", "other@example.com");
  expect((await again.call("GET /topics")).headers.get("ratelimit-limit")).toBe("3");
  const { body } = await change(owner, { "limits.requests_per_minute": null });
  expect(body.data.find((one: Json) => one.key === "limits.requests_per_minute")).toMatchObject({
    ...{ value: 1000, source: "DEFAULT" },
  });
  await again.end();
  rmSync(dataDir, { recursive: true });
});

test("all faults are said at once, by key, and nothing changes", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const before = await allRowsOf(posthorn.store);
  const refused = await change(owner, {
    "limits.requests_per_minute": 50,
    "retention.mail_days": 3,
    "http.port": 80,
    "retention.male_days": 90,
  });
  expect(faultsIn(refused)).toEqual([
    422,
    {
      "values.retention.mail_days": "retention.mail_days must be 0, or must be a whole number from 31 to 36500, not 3.",
      "values.http.port": "http.port is set in the file or the environment, and needs a restart.",
      "values.retention.male_days": "retention.male_days is not a known key.",
    },
  ]);
  expect(faultsIn(await change(owner, { "alerts.from": "posthorn@example.com" }))).toEqual([
    422,
    { "values.alerts.email": "alerts.email must be set when alerts.from is." },
  ]);
  expect(await allRowsOf(posthorn.store)).toEqual(before);
  expect((await settingOf(owner, "limits.requests_per_minute")).value).toBe(1000);
});

test("the file wins, then and later", async () => {
  const origins: SettingOrigins = new Map([["limits.requests_per_minute", { source: "FILE", place: "/etc/p.toml" }]]);
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-"));
  {
    const posthorn = await startPosthorn({ dataDir });
    await change(await somebody(posthorn, "OWNER"), { "limits.requests_per_minute": 7, "limits.audit_days": 30 });
    await posthorn.end();
  }
  const posthorn = await startPosthorn({ dataDir, origins, config: { limits: { requestsPerMinute: 9 } } });
  const owner = await somebody(posthorn, "OWNER", "other@example.com");
  expect(await settingOf(owner, "limits.requests_per_minute")).toMatchObject({ value: 9, source: "FILE" });
  expect((await settingOf(owner, "limits.audit_days")).value).toBe(30);
  const problem = { key: "limits.requests_per_minute", message: "is set by /etc/p.toml, which wins" };
  expect((await owner.ask(`GET ${PATH}`)).body.problems).toEqual([problem]);
  expect(faultsIn(await change(owner, { "limits.requests_per_minute": 5 }))).toEqual([
    422,
    { "values.limits.requests_per_minute": "limits.requests_per_minute is set by /etc/p.toml, which wins." },
  ]);
  await posthorn.end();
  rmSync(dataDir, { recursive: true });
});

test("what another version does not admit is left out and reported, and the server starts", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-"));
  {
    const posthorn = await startPosthorn({ dataDir });
    await change(await somebody(posthorn, "OWNER"), { "limits.audit_days": 30, "retention.mail_days": 90 });
    await posthorn.store.write(async (tx) => {
      await tx.run`update kept_settings set value = '"for a year"' where key = 'retention.mail_days'`;
      await tx.run`insert into kept_settings (key, value, updated_at) values ('retention.new_days', '1', ${tx.now})`;
    });
    await posthorn.end();
  }
  const posthorn = await startPosthorn({ dataDir });
  const owner = await somebody(posthorn, "OWNER", "other@example.com");
  expect((await owner.ask(`GET ${PATH}`)).body.problems.map(({ key }: Json) => key).toSorted()).toEqual([
    "retention.mail_days",
    "retention.new_days",
  ]);
  expect((await settingOf(owner, "retention.mail_days")).value).toBe(365);
  expect((await settingOf(owner, "limits.audit_days")).value).toBe(30);
  expect(posthorn.logLines.join("\n")).toContain("a kept setting is not used");
  // The key can still be changed.
  expect((await change(owner, { "retention.mail_days": 60 })).status).toBe(200);
  await posthorn.end();
  rmSync(dataDir, { recursive: true });
});

test("only owners change settings, after a proof, and the audit log has what was and what is", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  for (const role of ["ADMIN", "DEVELOPER", "MARKETER", "SUPPORT"] as const)
    expect((await change(await somebody(posthorn, role), { "retention.mail_days": 90 })).status).toBe(403);
  expect((await posthorn.call(`PATCH ${PATH}`, { values: { "retention.mail_days": 90 } })).status).toBe(403);
  await change(owner, { "retention.mail_days": 90 });
  await change(owner, { "retention.mail_days": 60, "alerts.webhook_secret": null });
  posthorn.clock.advance(11 * 60_000);
  const late = await change(owner, { "retention.mail_days": 31 });
  expect([late.status, late.body.error.code]).toEqual([403, "PROOF_NEEDED"]);
  const { body } = await owner.ask("GET /audit?of=installation");
  const noted = body.data.filter(({ action }: Json) => action === "updateConfiguration");
  expect(noted.map(({ reason }: Json) => reason)).toEqual([
    "retention.mail_days: 90 → 60",
    "retention.mail_days: default → 90",
  ]);
});

test("who has seen an older version changes nothing", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const { body } = await change(owner, { "retention.mail_days": 90 });
  await change(owner, { "retention.mail_days": 60 });
  const refused = await change(owner, { "retention.mail_days": 365 }, { ifUpdatedAt: body.updatedAt });
  expect([refused.status, refused.body.error.reason]).toEqual([409, "saved_since"]);
  expect((await settingOf(owner, "retention.mail_days")).value).toBe(60);
});

test("alerts begin once there is somebody to tell, who gets a test first; their secrets are kept encrypted", async () => {
  await using posthorn = await startPosthorn();
  using receiver = new Receiver();
  const owner = await somebody(posthorn, "OWNER");
  receiver.answer = () => new Response("no", { status: 500 });
  const values = { "alerts.webhook": `${receiver.url}/T4711`, "alerts.webhook_secret": WEBHOOK_SECRET };
  expect(faultsIn(await change(owner, values))).toEqual([
    422,
    { "values.alerts.webhook": "alerts.webhook does not get the test: It answered 500." },
  ]);
  expect(await rows(posthorn)).toEqual([]);
  receiver.answer = () => new Response("thanks");
  const { status, body } = await change(owner, values);
  expect([status, JSON.parse(receiver.received.at(-1)?.body ?? "").type]).toEqual([200, "alert.test"]);
  expect(receiver.received.at(-1)?.headers.get("webhook-signature")).toStartWith("v1,");
  for (const text of ["T4711", WEBHOOK_SECRET]) {
    expect(JSON.stringify(body)).not.toContain(text);
    expect(JSON.stringify(await rows(posthorn))).not.toContain(text);
    expect(JSON.stringify((await owner.ask("GET /audit?of=installation")).body)).not.toContain(text);
  }
  // The relay goes away for long enough.
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  await posthorn.call("POST /v1/send", letter);
  for (let minutes = 0; minutes < 4; minutes++) {
    await posthorn.settle();
    posthorn.clock.advance(61_000);
  }
  await posthorn.settle();
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toContain("alert");
});

test("backups begin with a schedule, at a place that can be written to", async () => {
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  await posthorn.settle();
  const [status, faults] = faultsIn(await change(owner, { "backup.to": "/proc/backups", "backup.every": "1h" }));
  expect([status, Object.keys(faults)]).toEqual([422, ["values.backup.to"]]);
  const folder = mkdtempSync(join(tmpdir(), "posthorn-backups-"));
  expect((await change(owner, { "backup.to": folder, "backup.every": "1h" })).status).toBe(200);
  expect((await settingOf(owner, "backup.every")).value).toBe(3600);
  if (ENGINE === "sqlite") {
    await posthorn.settle();
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^posthorn-.*tar/)]);
  }
  rmSync(folder, { recursive: true });
});

describe("a provider of sign-ins", () => {
  const only = { "team.oidc.only": true };

  async function withProvider() {
    const posthorn = await workspace();
    const owner = await somebody(posthorn, "OWNER");
    const provider = await SignInProvider.start();
    provider.startOver(posthorn);
    const { issuer, clientId, clientSecret } = provider.settings();
    const kept = await change(owner, {
      ...{ "team.oidc.issuer": issuer, "team.oidc.client_id": clientId, "team.oidc.client_secret": clientSecret },
      "team.oidc.default_role": "marketer",
    });
    expect(kept.status).toBe(200);
    return {
      ...{ posthorn, owner, provider },
      passwords: async () => (await askAsNobody(posthorn, "GET /session")).body.passwords,
      [Symbol.asyncDispose]: async () => {
        await provider[Symbol.asyncDispose]();
        await posthorn[Symbol.asyncDispose]();
      },
    };
  }

  test("is asked before it is kept, and offered at once", async () => {
    await using place = await withProvider();
    const { posthorn, owner, provider } = place;
    expect((await askAsNobody(posthorn, "GET /session")).body.providers).toHaveLength(1);
    expect((await provider.tryToEnter(posthorn, MIA)).status).toBe(200);
    const elsewhere = { "team.oidc.issuer": "http://127.0.0.1:1" };
    expect(faultsIn(await change(owner, elsewhere))).toEqual([
      422,
      { "values.team.oidc.client_secret": expect.stringContaining("has to be entered again") },
    ]);
    const [status, faults] = faultsIn(await change(owner, { ...elsewhere, "team.oidc.client_secret": "another" }));
    expect([status, Object.keys(faults)]).toEqual([422, ["values.team.oidc.issuer"]]);
  });

  test("as the only one goes back after a minute, unless an owner confirms it", async () => {
    await using place = await withProvider();
    const { posthorn, owner } = place;
    expect((await change(owner, only)).body.unconfirmed).toEqual({ keys: ["team.oidc.only"], seconds: 60 });
    expect(await place.passwords()).toBe(false);
    posthorn.clock.advance(59_000);
    await posthorn.settle();
    expect((await owner.ask(`GET ${PATH}`)).body.unconfirmed.seconds).toBe(1);
    posthorn.clock.advance(1_000);
    await posthorn.settle();
    expect(await place.passwords()).toBe(true);
    expect(await settingOf(owner, "team.oidc.only")).toMatchObject({ value: false, source: "DEFAULT" });
    const late = await owner.ask(`POST ${PATH}/confirm`);
    expect([late.status, late.body.error.reason]).toEqual([409, "nothing_unconfirmed"]);
    await change(owner, only);
    expect((await owner.ask(`POST ${PATH}/confirm`)).body.unconfirmed).toBe(null);
    posthorn.clock.advance(120_000);
    await posthorn.settle();
    expect(await place.passwords()).toBe(false);
  });

  test("as the only one is taken back, to what was confirmed last", async () => {
    await using place = await withProvider();
    const { posthorn, owner } = place;
    await change(owner, only);
    await owner.ask(`POST ${PATH}/confirm`);
    await change(owner, { "team.oidc.only": false });
    await change(owner, { "team.oidc.only": null });
    expect(await place.passwords()).toBe(true);
    expect((await owner.ask(`POST ${PATH}/undo`)).status).toBe(200);
    expect(await place.passwords()).toBe(false);
    const { body } = await owner.ask("GET /audit?of=installation");
    expect(body.data.map(({ action }: Json) => action)).toContain("undoConfiguration");
    expect(body.data.map(({ action }: Json) => action)).toContain("confirmConfiguration");
    expect((await (await somebody(posthorn, "ADMIN")).ask(`POST ${PATH}/undo`)).status).toBe(403);
  });
});

test("another address counts everywhere at once, and goes back unless it is confirmed", async () => {
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  const before = (await owner.ask("GET /installation")).body.baseUrl;
  const seen = async () => {
    const { body } = await posthorn.call("GET /openapi.json");
    const { body: image } = await posthorn.call("POST /forms", { name: `At ${posthorn.clock.nowMs()}` });
    return [body.servers[0].url, new URL(image.url).origin];
  };
  expect(await seen()).toEqual([before, before]);
  const { body } = await change(owner, { "http.base_url": "http://mail.example.com" });
  expect(body.unconfirmed.keys).toEqual(["http.base_url"]);
  posthorn.clock.advance(1_000);
  expect(await seen()).toEqual(["http://mail.example.com", "http://mail.example.com"]);
  posthorn.clock.advance(60_000);
  await posthorn.settle();
  expect(await seen()).toEqual([before, before]);
  // Over HTTPS the session has another cookie, which is set at the new address.
  await change(owner, { "http.base_url": "https://mail.example.com" });
  expect((await owner.ask(`POST ${PATH}/confirm`)).status).toBe(401);
  const token = owner.cookie.split("=")[1];
  const there = new Somebody(posthorn, `__Host-posthorn=${token}`, owner.workspace);
  expect((await there.ask(`POST ${PATH}/confirm`)).body.unconfirmed).toBe(null);
});

test("an unconfirmed change goes back after a crash as well", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-"));
  const clock = new TestClock();
  {
    const posthorn = await startPosthorn({ dataDir, clock });
    await posthorn.store.write(async (tx) => {
      await tx.run`
        insert into kept_settings (key, value, updated_at, confirm_until, before)
        values ('limits.audit_days', '1', ${tx.now}, ${new Date(tx.nowMs + 60_000).toISOString()}, '30')`;
    });
    await posthorn.end();
  }
  clock.advance(60_000);
  const posthorn = await startPosthorn({ dataDir, clock });
  await posthorn.settle();
  const owner = await somebody(posthorn, "OWNER");
  expect(await settingOf(owner, "limits.audit_days")).toMatchObject({ value: 30, source: "INTERFACE" });
  await posthorn.end();
  rmSync(dataDir, { recursive: true });
});

test.skipIf(ENGINE === "sqlite")("all nodes follow", async () => {
  await using posthorn = await startPosthorn();
  const other = await startPosthorn({ dataDir: posthorn.dataDir, clock: posthorn.clock });
  const owner = await somebody(posthorn, "OWNER");
  await change(owner, { "retention.mail_days": 90 });
  await other.settle();
  const elsewhere = await somebody(other, "OWNER", "other@example.com");
  expect(await settingOf(elsewhere, "retention.mail_days")).toMatchObject({ value: 90, source: "INTERFACE" });
  await other.end();
});

test("warm-ups are planned or not, and the time after a lost record is longer or shorter, as it is set", async () => {
  await using posthorn = await startPosthorn({
    config: {
      http: { baseUrl: "http://mail.example.com" },
      delivery: { transport: "smtp" },
      relay: { host: "relay.example" },
    },
  });
  const owner = await somebody(posthorn, "OWNER");
  const [domain] = (await posthorn.call("GET /domains")).body.data;
  const planned = async () => (await posthorn.call(`GET /domains/${domain.id}/warmup`)).body.state;
  expect(await planned()).toBe("PLANNED");
  expect((await change(owner, { "delivery.warm_up": false })).status).toBe(200);
  expect(await planned()).toBe("NONE");
  const failingSince = new Date(posthorn.clock.nowMs()).toISOString();
  await posthorn.store.write((tx) => tx.run`update domains set failing_since = ${failingSince}`);
  const grace = async () => (await posthorn.call(`GET /domains/${domain.id}`)).body.graceEndsAt;
  expect(Date.parse(await grace()) - Date.parse(failingSince)).toBe(3 * 86_400_000);
  await change(owner, { "delivery.domain_grace": "1h" });
  expect(Date.parse(await grace()) - Date.parse(failingSince)).toBe(3_600_000);
});

test("a rate of sending follows", async () => {
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  await change(owner, { "delivery.rate_per_second": 3 });
  await posthorn.settle();
  expect((await owner.ask("GET /installation/ways")).body.data[0].ratePerSecond).toBe(3);
  expect((await owner.ask("GET /installation")).body.limits.ratePerSecond).toBe(3);
});

describe("values that a new file breaks", () => {
  /** A server that has kept these values, started again with another file. */
  async function withAnotherFile(
    values: Record<string, unknown>,
    file: NonNullable<Parameters<typeof startPosthorn>[0]>,
  ) {
    const dataDir = mkdtempSync(join(tmpdir(), "posthorn-"));
    const before = await startPosthorn({ dataDir });
    await before.store.write(async (tx) => {
      for (const [key, value] of Object.entries(values))
        await tx.run`insert into kept_settings (key, value, updated_at) values (${key}, ${JSON.stringify(value)}, ${tx.now})`;
    });
    await before.end();
    const posthorn = await startPosthorn({ ...file, dataDir });
    const owner = await somebody(posthorn, "OWNER");
    return {
      ...{ posthorn, owner },
      problems: async () => (await owner.ask(`GET ${PATH}`)).body.problems,
      [Symbol.asyncDispose]: async () => {
        await posthorn.end();
        rmSync(dataDir, { recursive: true });
      },
    };
  }
  const emailInFile = {
    origins: new Map([["alerts.email", { source: "FILE", place: "/etc/p.toml" }]]) as SettingOrigins,
  };

  test("are left out alone where they break a rule of another section", async () => {
    await using place = await withAnotherFile(
      { "http.base_url": "http://mail.example.com", "retention.mail_days": 0 },
      { config: { compat: { resendHost: "mail.example.com" } } },
    );
    expect(await settingOf(place.owner, "retention.mail_days")).toMatchObject({ value: 0, source: "INTERFACE" });
    expect(await place.problems()).toEqual([
      { key: "http.base_url", message: expect.stringContaining("because compat.resend_host must be another name") },
    ]);
  });

  test("are named one by one, and dropped when their section is saved: what is saved counts", async () => {
    const values = { "alerts.email": ["ops@example.com"], "alerts.from": "p@example.com" };
    await using place = await withAnotherFile(values, emailInFile);
    expect((await place.problems()).map(({ key }: Json) => key)).toEqual(["alerts.email", "alerts.from"]);
    const { status, body } = await change(place.owner, { "alerts.queue_after": "10m" });
    expect([status, body.problems.map(({ key }: Json) => key)]).toEqual([200, ["alerts.email"]]);
    expect(await settingOf(place.owner, "alerts.queue_after")).toMatchObject({ value: 600, source: "INTERFACE" });
    const { body: audit } = await place.owner.ask("GET /audit?of=installation");
    expect(audit.data[0].reason).toBe('alerts.from: "p@example.com" → default; alerts.queue_after: default → "10m"');
  });

  test("are no reason not to start: a bucket without credentials fails its backups", async () => {
    await using place = await withAnotherFile({ "backup.to": "s3://backups", "backup.every": "1h" }, {});
    await place.posthorn.settle();
    expect(place.posthorn.logLines.join("\n")).toContain("the backup failed");
  });
});

test("a secret that is left out does not go to another provider", async () => {
  await using posthorn = await workspace();
  await using provider = await SignInProvider.start();
  provider.startOver(posthorn);
  const owner = await somebody(posthorn, "OWNER");
  const { issuer, clientId, clientSecret } = provider.settings();
  const secret = { "team.oidc.client_secret": clientSecret };
  await change(owner, { "team.oidc.issuer": issuer, "team.oidc.client_id": clientId, ...secret });
  // As another file might leave it.
  await posthorn.store.write((tx) => tx.run`delete from kept_settings where key = 'team.oidc.issuer'`);
  await posthorn.settle();
  expect(await settingOf(owner, "team.oidc.client_secret")).toMatchObject({ source: "DEFAULT" });
  expect((await change(owner, { "team.oidc.issuer": issuer, "team.oidc.client_id": "other" })).status).toBe(200);
  expect(await settingOf(owner, "team.oidc.client_secret")).toMatchObject({ source: "DEFAULT" });
});

test("while a provider is the only way in, all that describes it goes back unless it is confirmed", async () => {
  await using posthorn = await workspace();
  await using provider = await SignInProvider.start();
  provider.startOver(posthorn);
  const owner = await somebody(posthorn, "OWNER");
  const { issuer, clientId, clientSecret } = provider.settings();
  await change(owner, {
    ...{ "team.oidc.issuer": issuer, "team.oidc.client_id": clientId, "team.oidc.client_secret": clientSecret },
  });
  expect((await change(owner, { "team.oidc.allowed_domains": ["a.example"] })).body.unconfirmed).toBe(null);
  await change(owner, { "team.oidc.only": true });
  await owner.ask(`POST ${PATH}/confirm`);
  const { body } = await change(owner, { "team.oidc.allowed_domains": ["b.example"], "team.oidc.client_id": "other" });
  expect(body.unconfirmed.keys).toEqual(["team.oidc.allowed_domains", "team.oidc.client_id"]);
  posthorn.clock.advance(60_000);
  await posthorn.settle();
  expect((await settingOf(owner, "team.oidc.allowed_domains")).value).toEqual(["a.example"]);
  expect((await settingOf(owner, "team.oidc.client_id")).value).toBe(clientId);
  const { body: audit } = await owner.ask("GET /audit?of=installation");
  expect(audit.data.slice(0, 2).map(({ action, reason, by }: Json) => [action, reason, by.name])).toEqual([
    ["settingsWentBack", "team.oidc.client_id", "OWNER"],
    ["settingsWentBack", "team.oidc.allowed_domains", "OWNER"],
  ]);
});

test("what waits to be confirmed waits no longer when the clock is set back", async () => {
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  await posthorn.settle();
  await change(owner, { "http.base_url": "http://mail.example.com" });
  posthorn.clock.advance(10_000);
  await posthorn.settle();
  posthorn.clock.jump(-86_400_000);
  await posthorn.settle();
  posthorn.clock.advance(60_000);
  await posthorn.settle();
  expect((await settingOf(owner, "http.base_url")).source).toBe("DEFAULT");
});

test("a key that is not kept, and that no owner can change, is refused with no value as well", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  expect(faultsIn(await change(owner, { "retention.male_days": null, "http.port": null }))).toEqual([
    422,
    {
      "values.retention.male_days": "retention.male_days is not a known key.",
      "values.http.port": "http.port is set in the file or the environment, and needs a restart.",
    },
  ]);
});
