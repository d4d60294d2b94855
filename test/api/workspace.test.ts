// GET and PATCH /workspace, and its webhook secret.
import { expect, test } from "bun:test";
import { ask, scenarios, type Scenario } from "../support/scenario.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
/** 32 bytes in base64. */
const SECRET = expect.stringMatching(/^whsec_[\w+/]{43}=$/);
const SCOPED = { domains: ["example.test"] };
const ROTATE = "POST /workspace/rotate-webhook-secret";

test("a workspace shows what it is and what it has set", async () => {
  await using posthorn = await workspace({ tracking: true });
  const { status, body } = await ask(posthorn, "GET /workspace");
  expect([status, body]).toEqual([
    200,
    {
      id: ID,
      name: "default",
      tracking: "ENABLED",
      language: "en",
      postalAddress: null,
      doubleOptIn: false,
      publicKeys: { update: true, unsubscribe: true, events: null },
      sendData: "mail",
      suppressions: { complaints: "marketing", softBounces: 5, softBounceDays: 7 },
      searchFields: [],
      preferencePage: { data: [], asksWhy: true },
      fromAddress: null,
      fromName: null,
      timeZone: null,
      webhookSecret: SECRET,
      retention: { mailDays: 365, bodyDays: 90, eventDays: 365, inboundDays: 365, attemptDays: 90, recipientDays: 730 },
      createdAt: "2026-03-01T09:00:00.000Z",
      updatedAt: "2026-03-01T09:00:00.000Z",
    },
  ]);
});

test("what is changed stays, and what is not named stays as it was", async () => {
  await using posthorn = await workspace();
  const before = (await ask(posthorn, "GET /workspace")).body;
  posthorn.clock.advance(1000);
  const first = { name: "Ada's Shop", tracking: "MARKETING_ONLY", language: "pt-BR", postalAddress: "Rua 1\nLisboa" };
  await ask(posthorn, "PATCH /workspace", { body: first });
  const { status, body } = await ask(posthorn, "PATCH /workspace", { body: { tracking: "DISABLED", name: null } });
  const expected = {
    ...before,
    ...first,
    language: "pt",
    tracking: "DISABLED",
    // Each change has a time of its own.
    updatedAt: "2026-03-01T09:00:01.001Z",
  };
  expect([status, body]).toEqual([200, expected]);
  expect((await ask(posthorn, "GET /workspace")).body).toEqual(expected);
  const cleared = await ask(posthorn, "PATCH /workspace", { body: { postalAddress: null } });
  expect(cleared.body.postalAddress).toBeNull();
});

test("it keeps things for fewer days than the server, or as long; its texts never outlive their mails", async () => {
  await using posthorn = await workspace();
  const days = async (retention: object | null) =>
    (await ask(posthorn, "PATCH /workspace", { body: { retention } })).body.retention;
  const server = { mailDays: 365, bodyDays: 90, eventDays: 365, inboundDays: 365, attemptDays: 90, recipientDays: 730 };
  expect(await days({ mailDays: 60, inboundDays: 7 })).toEqual({
    ...server,
    ...{ mailDays: 60, bodyDays: 60, inboundDays: 7 },
  });
  expect(await days(null)).toMatchObject({ mailDays: 60, inboundDays: 7 });
  expect(await days({ mailDays: null })).toEqual({ ...server, inboundDays: 7 });
});

test("its time zone is kept as the IANA writes it, until it is cleared", async () => {
  await using posthorn = await workspace();
  const zone = async (timeZone: string | null) =>
    (await ask(posthorn, "PATCH /workspace", { body: { timeZone } })).body.timeZone;
  expect([await zone("europe/berlin"), await zone("UTC"), await zone(null)]).toEqual(["Europe/Berlin", "UTC", null]);
  await zone("America/New_York");
  expect((await ask(posthorn, "PATCH /workspace", { body: { language: "de" } })).body.timeZone).toBe(
    "America/New_York",
  );
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const other = await ask(posthorn, "GET /workspace", { key: { bearer: secret } });
  expect(other.body).toMatchObject({ name: "other", timeZone: null });
});

const request = "PATCH /workspace";
const refused = (fields: Record<string, string>) =>
  ({ request, status: 422, code: "VALIDATION_ERROR", fields }) as const;

const SCENARIOS: readonly Scenario[] = [
  {
    name: "refuses a setting of public keys that is neither yes nor no",
    ...refused({ "publicKeys.update": "invalid_type" }),
    body: { publicKeys: { update: "no" } },
  },
  { name: "refuses an unknown kind of tracking", ...refused({ tracking: "invalid" }), body: { tracking: "SOMETIMES" } },
  { name: "refuses a language without texts", ...refused({ language: "invalid" }), body: { language: "tlh" } },
  {
    name: "refuses a time zone that nobody knows",
    ...refused({ timeZone: "invalid_time_zone" }),
    body: { timeZone: "Mars/Olympus" },
  },
  {
    name: "refuses an offset, which knows no summer",
    ...refused({ timeZone: "invalid_time_zone" }),
    body: { timeZone: "+02:00" },
  },
  { name: "refuses a name with space around it", ...refused({ name: "invalid" }), body: { name: " shop" } },
  { name: "refuses an empty name", ...refused({ name: "too_small" }), body: { name: "" } },
  { name: "refuses a name with a line break", ...refused({ name: "invalid" }), body: { name: "a\nb" } },
  {
    name: "refuses a postal address that is a novel",
    ...refused({ postalAddress: "too_big" }),
    body: { postalAddress: "x".repeat(501) },
  },
  {
    name: "refuses to keep anything longer than the server",
    ...refused({ "retention.mailDays": "too_big", "retention.bodyDays": "too_big" }),
    body: { retention: { mailDays: 366, bodyDays: 91, eventDays: 365 } },
  },
  {
    name: "refuses to keep mails and events for less than a month",
    ...refused({ "retention.mailDays": "too_small", "retention.eventDays": "too_small" }),
    body: { retention: { mailDays: 30, eventDays: 1, attemptDays: 1 } },
  },
  { name: "takes its own name again", request, body: { name: "default" }, status: 200 },
  { name: "is not for public keys", request, body: { name: "x" }, key: "public", status: 401, code: "INVALID_API_KEY" },
];
scenarios("a workspace", SCENARIOS);

test("two workspaces cannot have one name", async () => {
  await using posthorn = await workspace();
  await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const { status, body } = await ask(posthorn, request, { body: { name: "other" } });
  expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
});

test("a key that is scoped to domains sees the workspace without its secret, and changes nothing", async () => {
  await using posthorn = await workspace();
  const key = { bearer: (await addKeys(posthorn, SCOPED)).secret };
  expect((await ask(posthorn, "GET /workspace", { key })).body).toMatchObject({ name: "default", webhookSecret: null });
  for (const route of [request, ROTATE]) {
    const { status, body } = await ask(posthorn, route, { key, body: { name: "mine" } });
    expect([route, status, body.error.code]).toEqual([route, 403, "FORBIDDEN"]);
  }
  expect((await ask(posthorn, "GET /workspace")).body.name).toBe("default");
});

test("the webhook secret changes when that is asked for, once a key, and lies encrypted in the store", async () => {
  await using posthorn = await workspace();
  const before = (await ask(posthorn, "GET /workspace")).body.webhookSecret;
  const headers = { "idempotency-key": "rotation-1" };
  const first = await ask(posthorn, ROTATE, { headers });
  expect([first.status, first.body.webhookSecret]).toEqual([200, SECRET]);
  expect(first.body.webhookSecret).not.toBe(before);
  const again = await ask(posthorn, ROTATE, { headers });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.body).toEqual(first.body);
  const row = await posthorn.store.read((reader) => reader.get`select webhook_secret from workspaces`);
  const answers = await posthorn.store.read((reader) => reader.all`select body from idempotency_keys`);
  expect(answers).toHaveLength(1);
  for (const kept of [row, answers]) expect(JSON.stringify(kept)).not.toContain("whsec_");
});
