// GET and POST /keys, DELETE /keys/{id}.
import { expect, test } from "bun:test";
import { DAY_MS } from "../../src/base/clock.ts";
import { jsonBeside } from "../support/cli.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask, scenarios, type Scenario } from "../support/scenario.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const request = "POST /keys";
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = "2026-03-01T09:00:00.000Z";

async function statusFor(posthorn: Posthorn, bearer: string): Promise<number> {
  return (await ask(posthorn, "GET /emails", { key: { bearer } })).status;
}

test("a new set is answered with its keys, which work at once and are never shown again (slow)", async () => {
  await using posthorn = await workspace();
  const { status, body } = await ask(posthorn, request, { body: { name: "shop", domains: ["Example.Test."] } });
  expect([status, body]).toEqual([
    201,
    {
      id: ID,
      name: "shop",
      domains: ["example.test"],
      permissions: "full",
      allowedIps: null,
      expiresAt: null,
      public: expect.stringMatching(/^pk_\w{48}$/),
      secret: expect.stringMatching(/^sk_\w{48}$/),
      projectId: ID,
      createdAt: TIME,
    },
  ]);
  expect((await ask(posthorn, "POST /v1/send", { key: { bearer: body.secret }, body: letter })).status).toBe(200);
  const track = { email: "ada@example.com", event: "seen" };
  expect((await ask(posthorn, "POST /v1/track", { key: { bearer: body.public }, body: track })).status).toBe(200);
  const list = (await ask(posthorn, "GET /keys")).body;
  const { public: _, secret: __, ...shown } = body;
  const unused = { updatedAt: body.createdAt, formerSecretUntil: null, lastUsedAt: null, revokedAt: null };
  expect(list).toEqual({
    data: [
      { ...shown, id: ID, name: null, domains: null, ...unused },
      { ...shown, ...unused },
    ],
    total: 2,
    page: 1,
    pageSize: 20,
    totalPages: 1,
  });
  expect(JSON.stringify(list)).not.toMatch(/[sp]k_/);
});

test("the list comes in pages", async () => {
  await using posthorn = await workspace();
  for (const name of ["b", "c", "d"]) await addKeys(posthorn, { name });
  const { body } = await ask(posthorn, "GET /keys?page=2&pageSize=3");
  expect(body).toMatchObject({ data: [{ name: "d" }], total: 4, totalPages: 2 });
});

test("a set that is made twice under one Idempotency-Key is one set, and its keys do not lie open in the store", async () => {
  await using posthorn = await workspace();
  const question = { body: { name: "shop" }, headers: { "idempotency-key": "k1" } };
  const [first, second] = [await ask(posthorn, request, question), await ask(posthorn, request, question)];
  expect(second.body).toEqual(first.body);
  expect((await ask(posthorn, "GET /keys")).body.total).toBe(2);
  const kept = JSON.stringify(await posthorn.store.read((reader) => reader.all`select body from idempotency_keys`));
  expect(kept).toContain("body");
  expect(kept).not.toMatch(/[sp]k_/);
});

/** When each set was last used, the oldest set first. */
async function lastUses(posthorn: Posthorn): Promise<(string | null)[]> {
  const { data } = (await ask(posthorn, "GET /keys")).body;
  return data.map(({ lastUsedAt }: { readonly lastUsedAt: string | null }) => lastUsedAt);
}

test("a set says to the minute when one of its keys was last used, and so does the command line", async () => {
  await using posthorn = await workspace();
  const [idle, shop] = [await addKeys(posthorn, { name: "idle" }), await addKeys(posthorn, { name: "shop" })];
  posthorn.clock.advance(90_000);
  await ask(posthorn, "POST /v1/track", {
    key: { bearer: shop.public },
    body: { email: "ada@example.com", event: "seen" },
  });
  await posthorn.settle();
  expect(await lastUses(posthorn)).toEqual([null, null, "2026-03-01T09:01:00.000Z"]);
  posthorn.clock.advance(DAY_MS);
  await statusFor(posthorn, shop.secret);
  await statusFor(posthorn, "sk_of_nobody");
  await posthorn.settle();
  expect((await lastUses(posthorn)).slice(1)).toEqual([null, "2026-03-02T09:01:00.000Z"]);
  const rows = await jsonBeside(posthorn, ["key", "list"]);
  expect(rows.find(({ id }: { readonly id: string }) => id === shop.id).lastUsedAt).toBe("2026-03-02T09:01:00.000Z");
  expect(rows.find(({ id }: { readonly id: string }) => id === idle.id).lastUsedAt).toBeNull();
});

test("no request waits for a write of when its key was used", async () => {
  await using posthorn = await workspace();
  await posthorn.settle();
  const before = posthorn.store.version();
  for (let number = 0; number < 20; number++) await statusFor(posthorn, posthorn.keys.secret);
  expect(posthorn.store.version()).toBe(before);
});

test("what was used in the last minute is written before the server stops (slow)", async () => {
  const first = await startPosthorn();
  await statusFor(first, first.keys.secret);
  await first.server[Symbol.asyncDispose]();
  await using second = await startPosthorn({ dataDir: first.dataDir, clock: first.clock });
  const [used] = await jsonBeside(second, ["key", "list"]);
  expect(used.lastUsedAt).toBe(TIME);
});

test("a set that is revoked is refused at once, and gone from the list", async () => {
  await using posthorn = await workspace();
  const { body } = await ask(posthorn, request, { body: {} });
  expect(await statusFor(posthorn, body.secret)).toBe(200);
  const revoked = await ask(posthorn, `DELETE /keys/${body.id}`);
  expect([revoked.status, revoked.body]).toEqual([204, ""]);
  for (const key of [body.secret, body.public]) expect(await statusFor(posthorn, key)).toBe(401);
  expect((await ask(posthorn, "GET /keys")).body.total).toBe(1);
  const again = await ask(posthorn, `DELETE /keys/${body.id}`);
  expect([again.status, again.body.error.code]).toEqual([404, "KEY_NOT_FOUND"]);
});

test("the last set that can manage the workspace stays, however many requests come at once", async () => {
  await using posthorn = await workspace();
  const scoped = await addKeys(posthorn, { domains: ["example.test"] });
  const other = await addKeys(posthorn);
  const own = (await ask(posthorn, "GET /keys")).body.data[0].id;
  const statuses = await Promise.all(
    [own, other.id].map(async (id) => (await ask(posthorn, `DELETE /keys/${id}`)).status),
  );
  // Whose own set went first is refused with 401; never do both go.
  expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  const left = statuses[0] === 204 ? other : { id: own, secret: posthorn.keys.secret };
  const key = { bearer: left.secret };
  const last = await ask(posthorn, `DELETE /keys/${left.id}`, { key });
  expect([last.status, last.body.error.code]).toEqual([409, "CONFLICT"]);
  expect((await ask(posthorn, `DELETE /keys/${scoped.id}`, { key })).status).toBe(204);
});

test("a key that is scoped to domains manages no keys", async () => {
  await using posthorn = await workspace();
  const scoped = await addKeys(posthorn, { domains: ["example.test"] });
  for (const route of ["GET /keys", request, `DELETE /keys/${scoped.id}`]) {
    const body = route.startsWith("GET") ? {} : { body: {} };
    const reply = await ask(posthorn, route, { key: { bearer: scoped.secret }, ...body });
    expect([route, reply.status, reply.body.error.code]).toEqual([route, 403, "FORBIDDEN"]);
  }
});

test("another workspace's set cannot be revoked", async () => {
  await using posthorn = await workspace();
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  expect((await ask(posthorn, `DELETE /keys/${other.id}`)).status).toBe(404);
  expect(await statusFor(posthorn, other.secret)).toBe(200);
});

const refused = (fields: Record<string, string>) =>
  ({ request, status: 422, code: "VALIDATION_ERROR", fields }) as const;

const SCENARIOS: readonly Scenario[] = [
  {
    name: "refuses what is no domain name",
    ...refused({ "domains.1": "invalid_domain" }),
    body: { domains: ["a.example", "hello@a.example"] },
  },
  {
    name: "refuses an empty list, least of all makes an unscoped set of it",
    ...refused({ domains: "too_small" }),
    body: { domains: [] },
  },
  { name: "refuses an empty domain", ...refused({ "domains.0": "invalid_domain" }), body: { domains: [""] } },
  { name: "refuses a name with a line break", ...refused({ name: "invalid" }), body: { name: "a\nb" } },
];
scenarios("a key set", SCENARIOS);
