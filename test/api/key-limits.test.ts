// What a key set may do, from where and until when, and how its secret is replaced.
import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { routesWithKey } from "../support/routes.ts";
import { ask, scenarios, type Scenario } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const shared = sharedPosthorn();
const GONE = "0199a3b4-0000-7000-8000-000000000000";

/** The routes where a key with these permissions is let in, and what the others say. */
async function letIn(posthorn: Posthorn, permissions: "send" | "read") {
  const { secret } = await addKeys(posthorn, { permissions });
  const said = new Set<string>();
  const open: string[] = [];
  for (const route of routesWithKey(posthorn)) {
    const [method, path] = route.replace(/:\w+/g, GONE).split(" ");
    const body = method === "GET" || method === "DELETE" ? undefined : "{ this is not JSON";
    const reply = await ask(posthorn, `${method} ${path}`, { key: { bearer: secret }, body });
    if (reply.status === 403) said.add(reply.body.error.message);
    else open.push(route);
  }
  return { open, said: [...said] };
}

describe("a key that may only send", () => {
  test("sends, tracks, checks addresses and sees a mail, and no more (slow)", async () => {
    const { open, said } = await letIn(shared(), "send");
    expect(open.sort()).toEqual([
      "GET /emails/:id",
      "GET /submission",
      "POST /events/track",
      "POST /v1/send",
      "POST /v1/send/batch",
      "POST /v1/track",
      "POST /v1/verify",
    ]);
    expect(said.sort()).toEqual([
      "The API key has the permission send; this call needs content.",
      "The API key has the permission send; this call needs full.",
      "The API key has the permission send; this call needs read.",
    ]);
  });

  test("sees the mails that were sent with it, and no others", async () => {
    const posthorn = shared();
    const key = { bearer: (await addKeys(posthorn, { permissions: "send" })).secret };
    const sent = async (by?: typeof key) =>
      (await ask(posthorn, "POST /v1/send", { body: letter, ...(by ? { key: by } : {}) })).body.data.emails[0].email;
    expect((await ask(posthorn, `GET /emails/${await sent(key)}`, { key })).status).toBe(200);
    const other = await ask(posthorn, `GET /emails/${await sent()}`, { key });
    expect([other.status, other.body.error.code]).toEqual([404, "EMAIL_NOT_FOUND"]);
  });

  test("records events with its public key, too", async () => {
    const posthorn = shared();
    const body = { email: "ada@example.com", event: "seen" };
    const track = async (permissions: "send" | "read") => {
      const key = { bearer: (await addKeys(posthorn, { permissions })).public };
      return (await ask(posthorn, "POST /v1/track", { key, body })).status;
    };
    expect([await track("send"), await track("read")]).toEqual([200, 403]);
  });
});

describe("a key that may only read", () => {
  test("is let in where nothing is changed and nothing is sent (slow)", async () => {
    const posthorn = shared();
    const { open, said } = await letIn(posthorn, "read");
    expect(routesWithKey(posthorn).filter((route) => route.startsWith("GET ") && !open.includes(route))).toEqual([]);
    expect(open.filter((route) => !route.startsWith("GET ")).sort()).toEqual([
      "POST /campaigns/audience-people",
      "POST /campaigns/audience-preview",
      "POST /contacts/lookup",
      "POST /forms/preview",
      "POST /preview",
      "POST /segments/explain",
      "POST /segments/preview",
      "POST /templates/:id/preview",
      "POST /v1/verify",
      "POST /workflows/:id/check",
      "POST /workflows/:id/simulate",
      "POST /workflows/:id/simulate-past",
      "POST /workflows/next-runs",
    ]);
    expect(said).toContain("The API key has the permission read; this call needs send.");
  });

  test("does not see the workspace's secrets", async () => {
    const posthorn = shared();
    const key = { bearer: (await addKeys(posthorn, { permissions: "read" })).secret };
    expect((await ask(posthorn, "GET /workspace", { key })).body.webhookSecret).toBeNull();
  });
});

test("a set is refused from its end on, which the answer names (slow)", async () => {
  await using posthorn = await workspace();
  const expiresAt = "2026-03-01T10:00:00.000Z";
  const { body } = await ask(posthorn, "POST /keys", { body: { expiresAt: "2026-03-01T11:00+01:00" } });
  expect(body.expiresAt).toBe(expiresAt);
  const key = { bearer: body.secret };
  expect((await ask(posthorn, "GET /emails", { key })).status).toBe(200);
  posthorn.clock.advance(HOUR_MS);
  const late = await ask(posthorn, "GET /emails", { key });
  expect([late.status, late.body.error.code, late.body.error.message]).toEqual([
    401,
    "INVALID_API_KEY",
    `The API key expired at ${expiresAt}.`,
  ]);
  expect((await ask(posthorn, `PATCH /keys/${body.id}`, { body: { expiresAt: null } })).body.expiresAt).toBeNull();
  expect((await ask(posthorn, "GET /emails", { key })).status).toBe(200);
});

test("a set is taken from its addresses alone, behind a proxy that is trusted, too", async () => {
  await using posthorn = await workspace({ config: { http: { trustedProxies: ["127.0.0.1"] } } });
  const { secret, id } = await addKeys(posthorn, { allowedIps: ["192.0.2.0/24", "2001:db8::1"] });
  const statusFrom = async (from?: string) =>
    (
      await ask(posthorn, "GET /emails", {
        key: { bearer: secret },
        headers: from === undefined ? {} : { "x-forwarded-for": from },
      })
    ).status;
  expect(await statusFrom("192.0.2.7")).toBe(200);
  expect(await statusFrom("2001:db8:0::1")).toBe(200);
  expect(await statusFrom("198.51.100.7")).toBe(403);
  expect(await statusFrom("192.0.2.7, 198.51.100.7")).toBe(403);
  expect(await statusFrom()).toBe(403);
  await ask(posthorn, `PATCH /keys/${id}`, { body: { allowedIps: ["127.0.0.1"] } });
  expect(await statusFrom()).toBe(200);
});

describe("a secret that is replaced", () => {
  test("is taken for as long as was asked for, and the new one from now on", async () => {
    await using posthorn = await workspace();
    const { id, secret } = await addKeys(posthorn);
    const { status, body } = await ask(posthorn, `POST /keys/${id}/rotate`, { body: { overlapHours: 2 } });
    expect([status, body.formerSecretUntil]).toEqual([200, "2026-03-01T11:00:00.000Z"]);
    const statuses = async () =>
      Promise.all(
        [secret, body.secret].map(async (bearer) => (await ask(posthorn, "GET /emails", { key: { bearer } })).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    posthorn.clock.advance(2 * HOUR_MS);
    expect(await statuses()).toEqual([401, 200]);
  });

  test("is refused at once with no overlap, and so is the one before the last", async () => {
    await using posthorn = await workspace();
    const { id, secret } = await addKeys(posthorn);
    const rotate = async (overlapHours: number) =>
      (await ask(posthorn, `POST /keys/${id}/rotate`, { body: { overlapHours } })).body.secret;
    const second = await rotate(72);
    const third = await rotate(0);
    const statuses = await Promise.all(
      [secret, second, third].map(async (bearer) => (await ask(posthorn, "GET /emails", { key: { bearer } })).status),
    );
    expect(statuses).toEqual([401, 401, 200]);
  });

  test("is not replaced again while the one before is taken, which no answer would have said", async () => {
    await using posthorn = await workspace();
    const { id, secret } = await addKeys(posthorn);
    const rotate = () => ask(posthorn, `POST /keys/${id}/rotate`, { body: { overlapHours: 2 } });
    const second = (await rotate()).body.secret;
    const refused = await rotate();
    expect([refused.status, refused.body.error.reason, refused.body.error.values]).toEqual([
      409,
      "overlap_runs",
      { until: "2026-03-01T11:00:00.000Z" },
    ]);
    for (const bearer of [secret, second])
      expect((await ask(posthorn, "GET /emails", { key: { bearer } })).status).toBe(200);
    posthorn.clock.advance(2 * HOUR_MS);
    expect((await rotate()).status).toBe(200);
  });

  test("is replaced once under an Idempotency-Key, and lies open nowhere", async () => {
    await using posthorn = await workspace();
    const { id } = await addKeys(posthorn);
    const once = { body: {}, headers: { "idempotency-key": "r1" } };
    const [first, second] = [
      await ask(posthorn, `POST /keys/${id}/rotate`, once),
      await ask(posthorn, `POST /keys/${id}/rotate`, once),
    ];
    expect(second.body).toEqual(first.body);
    const kept = JSON.stringify(await posthorn.store.read((reader) => reader.all`select body from idempotency_keys`));
    expect(kept).not.toMatch(/sk_/);
  });

  test("is nobody else's to replace", async () => {
    const posthorn = shared();
    const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    for (const route of [`PATCH /keys/${other.id}`, `POST /keys/${other.id}/rotate`])
      expect((await ask(posthorn, route, { body: {} })).status).toBe(404);
  });
});

test("the last set that may do everything for good gets no end", async () => {
  await using posthorn = await workspace();
  await addKeys(posthorn, { permissions: "send" });
  await addKeys(posthorn, { expiresAt: "2027-01-01" });
  const [{ id }] = (await ask(posthorn, "GET /keys")).body.data;
  const end = await ask(posthorn, `PATCH /keys/${id}`, { body: { expiresAt: "2027-01-01" } });
  expect([end.status, end.body.error.reason]).toEqual([409, "last_keys"]);
  expect((await ask(posthorn, `DELETE /keys/${id}`)).status).toBe(409);
});

test("the last set that may do everything does not lock itself out, and others may be bound to any place", async () => {
  await using posthorn = await workspace();
  const [{ id }] = (await ask(posthorn, "GET /keys")).body.data;
  const bound = (of: string, allowedIps: readonly string[]) =>
    ask(posthorn, `PATCH /keys/${of}`, { body: { allowedIps } });
  const refused = await bound(id, ["192.0.2.1"]);
  expect([refused.status, refused.body.error.reason, refused.body.error.values]).toEqual([
    409,
    "locked_out",
    { address: "127.0.0.1" },
  ]);
  expect((await ask(posthorn, "GET /keys")).body.data[0].allowedIps).toBeNull();
  expect((await bound(id, ["192.0.2.1", "127.0.0.0/8"])).status).toBe(200);
  const sending = await addKeys(posthorn, { permissions: "send" });
  expect((await bound(sending.id, ["192.0.2.1"])).status).toBe(200);
  await addKeys(posthorn);
  expect((await bound(id, ["192.0.2.1"])).status).toBe(200);
});

const refused = (fields: Record<string, string>) =>
  ({ request: "POST /keys", status: 422, code: "VALIDATION_ERROR", fields }) as const;

const SCENARIOS: readonly Scenario[] = [
  { name: "an unknown permission", ...refused({ permissions: "invalid" }), body: { permissions: "write" } },
  {
    name: "what is no address",
    ...refused({ "allowedIps.1": "invalid_range" }),
    body: { allowedIps: ["192.0.2.1", "192.0.2.0/33"] },
  },
  { name: "an end that is over", ...refused({ expiresAt: "too_early" }), body: { expiresAt: "2026-03-01T09:00:00Z" } },
  { name: "an end that is no time", ...refused({ expiresAt: "invalid_time" }), body: { expiresAt: "tomorrow" } },
];
scenarios("a key set refuses", SCENARIOS);
