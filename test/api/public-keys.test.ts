// What a public key may record, how a page that is being left sends it, and that many of them share transactions.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, type Key } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const visit = { email: "ada@example.com", event: "visit" };

async function allow(posthorn: Posthorn, events: readonly string[] | null): Promise<Json> {
  return (await ask(posthorn, "PATCH /workspace", { body: { publicKeys: { events } } })).body.publicKeys;
}

const tracked = async (posthorn: Posthorn, key: Key, event: string) =>
  (await ask(posthorn, "POST /v1/track", { key, body: { ...visit, event } })).status;

test("a public key records any event, or those that the workspace names", async () => {
  await using posthorn = await workspace();
  expect(await tracked(posthorn, "public", "order.placed")).toBe(200);
  expect(await allow(posthorn, ["visit", "visit", "signed-up"])).toEqual({
    update: true,
    unsubscribe: true,
    events: ["visit", "signed-up"],
  });
  expect([await tracked(posthorn, "public", "visit"), await tracked(posthorn, "public", "order.placed")]).toEqual([
    200, 403,
  ]);
  expect(await tracked(posthorn, "secret", "order.placed")).toBe(200);
  expect((await allow(posthorn, [])).events).toEqual([]);
  expect(await tracked(posthorn, "public", "visit")).toBe(403);
  expect((await allow(posthorn, null)).events).toBeNull();
  expect(await tracked(posthorn, "public", "order.placed")).toBe(200);
});

test("what the other settings of public keys are stays when one changes", async () => {
  await using posthorn = await workspace();
  await allow(posthorn, ["visit"]);
  const { body } = await ask(posthorn, "PATCH /workspace", { body: { publicKeys: { update: false } } });
  expect(body.publicKeys).toEqual({ update: false, unsubscribe: true, events: ["visit"] });
});

test("an event that may not be recorded leaves no trace, and the answer says how to allow it", async () => {
  await using posthorn = await workspace();
  await allow(posthorn, ["visit"]);
  const { body } = await ask(posthorn, "POST /v1/track", { key: "public", body: { ...visit, event: "paid" } });
  expect([body.error.code, body.error.suggestion]).toEqual(["FORBIDDEN", expect.stringContaining("publicKeys.events")]);
  expect((await ask(posthorn, "GET /contacts")).body.data).toEqual([]);
});

type Beacon = { readonly query?: string; readonly body?: object };

/** As `navigator.sendBeacon` sends a text: no header of the page's own. */
async function beacon(posthorn: Posthorn, { query = "", body = visit }: Beacon) {
  const response = await fetch(`${posthorn.server.url}/v1/track${query}`, {
    method: "POST",
    headers: { "content-type": "text/plain;charset=UTF-8", origin: "https://shop.example", cookie: "posthorn=x" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Json, headers: response.headers };
}

test("a page that is being left sends its key in the query or in the body", async () => {
  await using posthorn = await workspace();
  const inQuery = await beacon(posthorn, { query: `?key=${posthorn.keys.public}` });
  const inBody = await beacon(posthorn, { body: { ...visit, key: posthorn.keys.public, data: { plan: "pro" } } });
  for (const { status, body, headers } of [inQuery, inBody])
    expect([status, body.success, body.warnings, headers.get("access-control-allow-origin")]).toEqual([
      200,
      true,
      undefined,
      "*",
    ]);
  expect((await posthorn.events()).map(({ name, data }) => [name, data])).toEqual([
    ["visit", {}],
    ["visit", { plan: "pro" }],
  ]);
});

test("no secret key is taken there, and its owner hears that others may have read it", async () => {
  await using posthorn = await workspace();
  const { secret } = posthorn.keys;
  for (const one of [{ query: `?key=${secret}` }, { body: { ...visit, key: secret } }]) {
    const { status, body } = await beacon(posthorn, one);
    expect([status, body.error.code, body.error.suggestion]).toEqual([
      401,
      "INVALID_API_KEY",
      expect.stringContaining("revoke"),
    ]);
  }
});

test("no key, or one that is none, is refused; no other call takes one in its query or body", async () => {
  await using posthorn = await workspace();
  const { public: key } = posthorn.keys;
  expect((await beacon(posthorn, { query: "?key=pk_x" })).status).toBe(401);
  expect((await beacon(posthorn, {})).status).toBe(401);
  expect((await ask(posthorn, "POST /v1/track", { key: "none", body: "{" })).status).toBe(401);
  expect(
    (await ask(posthorn, "POST /v1/track", { key: "none", body: { ...visit, x: "x".repeat(70_000), key } })).status,
  ).toBe(401);
  expect((await ask(posthorn, `POST /contacts?key=${key}`, { key: "none", body: { ...visit, key } })).status).toBe(401);
});

test("a key in a query reaches no log", async () => {
  await using posthorn = await workspace();
  const { secret, public: open } = posthorn.keys;
  for (const key of [secret, open, "pk_unknown"]) await beacon(posthorn, { query: `?key=${key}` });
  const said = posthorn.logLines.join("\n");
  expect(said).toContain("/v1/track");
  for (const key of [secret, open, "pk_unknown"]) expect(said).not.toContain(key);
});

/** How many transactions forty requests took; on SQLite, only those of requests that were carried out alone. */
async function transactionsOf(posthorn: Posthorn, key: Key): Promise<number> {
  const { store } = posthorn;
  let alone = 0;
  const { write } = store;
  store.write = (work) => (alone++, write.call(store, work) as never);
  const all = Array.from({ length: 40 }, (_, n) =>
    ask(posthorn, "POST /v1/track", { key, body: { ...visit, email: `${n}@example.com` } }),
  );
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  store.write = write;
  expect(statuses).toEqual(Array<number>(40).fill(200));
  return alone;
}

test("events that come with a public key share transactions, as those with a secret key do (slow)", async () => {
  await using posthorn = await workspace({ config: { limits: { signUpsPerMinute: 0 } } });
  for (const key of ["secret", "public"] as const) expect(await transactionsOf(posthorn, key)).toBeLessThan(40);
});

test("of many that come at once, those beyond the limit are refused without a trace and keep nobody else", async () => {
  await using posthorn = await workspace({
    config: { http: { trustedProxies: ["127.0.0.1"] }, limits: { signUpsPerMinute: 3 } },
  });
  const track = (from: string, email: string) =>
    ask(posthorn, "POST /v1/track", { key: "public", headers: { "x-forwarded-for": from }, body: { ...visit, email } });
  const many = Array.from({ length: 8 }, (_, n) => track("198.51.100.1", `a${n}@example.com`));
  const others = ["203.0.113.1", "203.0.113.2"].map((from, n) => track(from, `b${n}@example.com`));
  const same = Array.from({ length: 6 }, () => track("192.0.2.1", "c@example.com"));
  const statuses = async (replies: typeof many) => (await Promise.all(replies)).map(({ status }) => status).toSorted();
  expect(await statuses(many)).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
  expect(await statuses(others)).toEqual([200, 200]);
  expect(await statuses(same)).toEqual(Array<number>(6).fill(200));
  const { data } = (await ask(posthorn, "GET /contacts?limit=100")).body;
  expect(data).toHaveLength(6);
  expect(await posthorn.eventNames()).toHaveLength(11);
});
