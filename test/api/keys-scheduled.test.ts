// What a key set has scheduled: GET /keys/{id}/scheduled, POST /keys/{id}/scheduled/cancel, DELETE with
// cancelScheduled.
import { expect, test } from "bun:test";
import { jsonBeside } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const HOUR_MS = 3_600_000;
const A_BATCH = 100;
const at = ({ clock }: Posthorn, hours: number) => new Date(clock.nowMs() + hours * HOUR_MS).toISOString();

type Keys = { readonly id: string; readonly secret: string };

/** Schedules a mail for each address; answers the ids. */
async function schedule(posthorn: Posthorn, { secret }: Pick<Keys, "secret">, ...people: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < people.length; from += A_BATCH) {
    const emails = people.slice(from, from + A_BATCH).map((to) => ({ ...letter, to, sendAt: at(posthorn, 2) }));
    const { body } = await ask(posthorn, "POST /v1/send/batch", { key: { bearer: secret }, body: { emails } });
    ids.push(...body.data.results.flatMap((one: Json) => one.emails.map(({ email }: Json) => email)));
  }
  return ids;
}

const listed = async (posthorn: Posthorn, id: string) => (await ask(posthorn, `GET /keys/${id}/scheduled`)).body;
const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id).toSorted();
const statusOf = async (posthorn: Posthorn, id: string) => (await ask(posthorn, `GET /emails/${id}`)).body.status;
const passes = async (posthorn: Posthorn, hours: number) => {
  posthorn.clock.advance(hours * HOUR_MS);
  await posthorn.settle();
};

test("what a key has scheduled is listed while it lives and after it was revoked, and nobody else's (slow)", async () => {
  await using posthorn = await workspace();
  const [shop, other] = [await addKeys(posthorn, { name: "shop" }), await addKeys(posthorn, { name: "other" })];
  const own = await schedule(posthorn, shop, "ada@example.com", "bob@example.com");
  await schedule(posthorn, other, "cy@example.com");
  await ask(posthorn, "POST /v1/send", { key: { bearer: shop.secret }, body: { ...letter, to: "now@example.com" } });
  const before = await listed(posthorn, shop.id);
  expect(before).toMatchObject({ total: 2, hasMore: false, cursor: null, campaigns: [] });
  expect(idsOf(before)).toEqual(own.toSorted());
  await ask(posthorn, `DELETE /keys/${shop.id}`);
  expect(await listed(posthorn, shop.id)).toEqual(before);
  const { body: same } = await ask(posthorn, `GET /emails?keyId=${shop.id}&scheduled=true`);
  const { body: others } = await ask(posthorn, `GET /emails?keyId=${shop.id}&scheduled=false`);
  expect(others.data.filter(({ id }: Json) => same.data.some((one: Json) => one.id === id))).toEqual([]);
  expect(idsOf(same)).toEqual(own.toSorted());
  await passes(posthorn, 3);
  expect(await listed(posthorn, shop.id)).toMatchObject({ data: [], total: 0 });
  expect(posthorn.transport.recipients).toContain("ada@example.com");
});

test("the list comes in pages, and the first counts all", async () => {
  await using posthorn = await workspace();
  const shop = await addKeys(posthorn);
  const own = await schedule(posthorn, shop, ...Array.from({ length: 5 }, (_, number) => `p${number}@example.com`));
  const seen: string[] = [];
  const totals: (number | null)[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const { body } = await ask(posthorn, `GET /keys/${shop.id}/scheduled?limit=2${more}`);
    seen.push(...body.data.map(({ id }: Json) => id));
    totals.push(body.total);
    cursor = body.cursor;
  }
  expect(seen.toSorted()).toEqual(own.toSorted());
  expect([totals[0], new Set(totals.slice(1))]).toEqual([5, new Set([null])]);
});

test("every door's mails are among them, and those that came with a secret before a rotation", async () => {
  await using posthorn = await workspace();
  const { id, secret } = await addKeys(posthorn);
  const key = { bearer: secret };
  const sendAt = at(posthorn, 2);
  const { subject, from } = letter;
  await ask(posthorn, "POST /v1/send", { key, body: { ...letter, to: ["a@example.com", "b@example.com"], sendAt } });
  await ask(posthorn, "POST /v1/send", { key, body: { ...letter, to: "c@example.com", cc: "d@example.com", sendAt } });
  const resend = { from, subject, to: "e@example.com", html: "<p>x</p>", scheduled_at: sendAt };
  const sendgrid = {
    personalizations: [{ to: [{ email: "f@example.com" }] }],
    from: { email: from },
    subject,
    content: [{ type: "text/plain", value: "x" }],
    send_at: Date.parse(sendAt) / 1000,
  };
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const posted = async (path: string, body: object) =>
    (await fetch(posthorn.server.url + path, { method: "POST", headers, body: JSON.stringify(body) })).status;
  expect(await posted("/compat/resend/emails", resend)).toBe(200);
  expect(await posted("/compat/sendgrid/v3/mail/send", sendgrid)).toBe(202);
  const { body: rotated } = await ask(posthorn, `POST /keys/${id}/rotate`, { body: { overlapHours: 1 } });
  for (const [place, bearer] of [secret, rotated.secret].entries())
    await schedule(posthorn, { secret: bearer }, `r${place}@example.com`);
  const { data, total } = await listed(posthorn, id);
  const addresses = ["a", "b", "c", "d", "e", "f", "r0", "r1"].map((name) => `${name}@example.com`);
  expect([data.map(({ to }: Json) => to).toSorted(), total]).toEqual([addresses, 8]);
});

test("they are cancelled together, with who did it, each once; what else waits is left", async () => {
  await using posthorn = await workspace();
  const [shop, other] = [await addKeys(posthorn, { name: "shop" }), await addKeys(posthorn)];
  const own = await schedule(posthorn, shop, "ada@example.com", "bob@example.com");
  const [others] = await schedule(posthorn, other, "cy@example.com");
  await ask(posthorn, `DELETE /emails/${own[0]}`);
  await ask(posthorn, `DELETE /keys/${shop.id}`);
  const cancel = () => ask(posthorn, `POST /keys/${shop.id}/scheduled/cancel`);
  expect(await cancel()).toMatchObject({ status: 200, body: { cancelled: 1, inHand: 0 } });
  expect(await cancel()).toMatchObject({ status: 200, body: { cancelled: 0, inHand: 0 } });
  const { body } = await ask(posthorn, `GET /emails/${own[1]}`);
  expect(body).toMatchObject({ status: "CANCELLED", cancelledAt: at(posthorn, 0), cancelledBy: { kind: "KEY" } });
  await passes(posthorn, 3);
  expect(posthorn.transport.recipients).toEqual(["cy@example.com"]);
  expect(await statusOf(posthorn, others ?? "")).toBe("SENT");
});

test("a set is revoked and its mails cancelled in one go, whether they are many or none (slow)", async () => {
  await using posthorn = await workspace();
  const [busy, idle] = [await addKeys(posthorn), await addKeys(posthorn)];
  const many = Array.from({ length: 450 }, (_, number) => `p${number}@example.com`);
  await schedule(posthorn, busy, ...many);
  const gone = (id: string, how = "?cancelScheduled=true") => ask(posthorn, `DELETE /keys/${id}${how}`);
  expect(await gone(busy.id)).toMatchObject({ status: 200, body: { cancelled: 450, inHand: 0 } });
  expect(await gone(idle.id)).toMatchObject({ status: 200, body: { cancelled: 0, inHand: 0 } });
  expect((await ask(posthorn, "GET /keys", { key: { bearer: busy.secret } })).status).toBe(401);
  const again = await gone(busy.id);
  expect([again.status, again.body.error.code]).toEqual([404, "KEY_NOT_FOUND"]);
  expect(again.body.error.suggestion).toContain("/scheduled/cancel");
  await passes(posthorn, 3);
  expect(posthorn.transport.sent).toEqual([]);
});

test("a plain revocation leaves them, and so does one that is refused", async () => {
  await using posthorn = await workspace();
  const shop = await addKeys(posthorn);
  const [own] = await schedule(posthorn, posthorn.keys, "ada@example.com");
  const [shops] = await schedule(posthorn, shop, "bob@example.com");
  expect(await ask(posthorn, `DELETE /keys/${shop.id}?cancelScheduled=false`)).toMatchObject({ status: 204, body: "" });
  expect(await statusOf(posthorn, shops ?? "")).toBe("QUEUED");
  const first = (await ask(posthorn, "GET /keys")).body.data[0].id;
  expect((await ask(posthorn, `DELETE /keys/${first}?cancelScheduled=true`)).status).toBe(409);
  expect(await statusOf(posthorn, own ?? "")).toBe("QUEUED");
});

test("what is being handed over is left, and said; what waits for another attempt is not scheduled", async () => {
  await using posthorn = await workspace();
  const shop = await addKeys(posthorn);
  const key = { bearer: shop.secret };
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.7.1 Greylisted" });
  await ask(posthorn, "POST /v1/send", { key, body: { ...letter, to: "slow@example.com" } });
  await posthorn.settle();
  const [inHand] = await schedule(posthorn, shop, "hand@example.com", "ada@example.com");
  await posthorn.store.write(
    (tx) => tx.run`update emails set status = 'SENDING', attempts = 1 where id = ${inHand ?? ""}`,
  );
  expect(await listed(posthorn, shop.id)).toMatchObject({ total: 1, data: [{ to: "ada@example.com" }] });
  const { body } = await ask(posthorn, `DELETE /keys/${shop.id}?cancelScheduled=true`);
  expect(body).toEqual({ cancelled: 1, inHand: 1 });
});

test("mails of a disabled workspace are found and cancelled", async () => {
  await using posthorn = await workspace();
  const shop = await addKeys(posthorn);
  await schedule(posthorn, shop, "ada@example.com");
  await posthorn.store.write((tx) => tx.run`update emails set hold = 'workspace'`);
  expect((await listed(posthorn, shop.id)).total).toBe(1);
  expect((await ask(posthorn, `POST /keys/${shop.id}/scheduled/cancel`)).body.cancelled).toBe(1);
});

test("campaigns that a key has scheduled are named", async () => {
  await using posthorn = await workspace();
  const shop = await addKeys(posthorn);
  const key = { bearer: shop.secret };
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } });
  const { subject, from } = letter;
  const draft = { name: "Sale", subject, body: "<p>x</p>", from, audienceType: "ALL" };
  const made = (await ask(posthorn, "POST /campaigns", { key, body: draft })).body;
  const { id } = made.data ?? made;
  const scheduledFor = at(posthorn, 5);
  expect((await ask(posthorn, `POST /campaigns/${id}/send`, { key, body: { scheduledFor } })).status).toBe(200);
  expect((await listed(posthorn, shop.id)).campaigns).toEqual([{ id, name: "Sale", scheduledFor }]);
});

test("another workspace's set, and one that never was, are not there; scoped keys and those that may not are refused", async () => {
  await using posthorn = await workspace();
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const shop = await addKeys(posthorn);
  const [scoped, sending] = [
    await addKeys(posthorn, { domains: ["example.test"] }),
    await addKeys(posthorn, { permissions: "send" }),
  ];
  const reading = await addKeys(posthorn, { permissions: "read" });
  const asked = async (route: string, bearer = posthorn.keys.secret) => {
    const { status, body } = await ask(posthorn, route, { key: { bearer } });
    return [status, body?.error?.code];
  };
  for (const id of [other.id, "01900000-0000-7000-8000-000000000000", "nobody"])
    for (const route of [`GET /keys/${id}/scheduled`, `POST /keys/${id}/scheduled/cancel`])
      expect([route, ...(await asked(route))]).toEqual([route, 404, "KEY_NOT_FOUND"]);
  for (const { secret } of [scoped, sending])
    for (const route of [`GET /keys/${shop.id}/scheduled`, `POST /keys/${shop.id}/scheduled/cancel`])
      expect([route, ...(await asked(route, secret))]).toEqual([route, 403, "FORBIDDEN"]);
  expect(await asked(`GET /keys/${shop.id}/scheduled`, reading.secret)).toEqual([200, undefined]);
  expect(await asked(`POST /keys/${shop.id}/scheduled/cancel`, reading.secret)).toEqual([403, "FORBIDDEN"]);
  for (const query of ["limit=0", "limit=101", "cursor=x", "page=2"])
    expect(await asked(`GET /keys/${shop.id}/scheduled?${query}`)).toEqual([400, "INVALID_PARAMETERS"]);
  expect(await asked(`DELETE /keys/${shop.id}?cancelScheduled=perhaps`)).toEqual([400, "INVALID_PARAMETERS"]);
  expect(await asked(`DELETE /keys/${shop.id}?cancelscheduled=true`)).toEqual([400, "INVALID_PARAMETERS"]);
});

test("no mail is found, or sent again, by the set of another workspace", async () => {
  await using posthorn = await workspace();
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const key = { bearer: other.secret };
  posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 No" });
  await ask(posthorn, "POST /v1/send", { key, body: { ...letter, from: "hello@other.example" } });
  await posthorn.settle();
  expect((await ask(posthorn, `GET /emails?keyId=${other.id}`, { key })).body.data).toHaveLength(1);
  expect((await ask(posthorn, `GET /emails?keyId=${other.id}`)).body.data).toEqual([]);
  expect((await ask(posthorn, `GET /emails/reasons?keyId=${other.id}`)).body.reasons).toEqual([]);
  const { body } = await ask(posthorn, "POST /emails/retry", { body: { filter: { keyId: other.id } } });
  expect(body.error.errors[0]).toMatchObject({ field: "filter", code: "no_match" });
});

test("revoked sets are listed, the newest first", async () => {
  await using posthorn = await workspace();
  const [shop, blog] = [await addKeys(posthorn, { name: "shop" }), await addKeys(posthorn, { name: "blog" })];
  await ask(posthorn, `DELETE /keys/${shop.id}`);
  posthorn.clock.advance(1000);
  await ask(posthorn, `DELETE /keys/${blog.id}`);
  const { body } = await ask(posthorn, "GET /keys?revoked=true");
  expect(body).toMatchObject({ total: 2, data: [{ id: blog.id, revokedAt: at(posthorn, 0) }, { id: shop.id }] });
  expect((await ask(posthorn, "GET /keys")).body.data).toMatchObject([{ revokedAt: null }]);
});

test("the command line says how many wait, and cancels them (slow)", async () => {
  // The command line asks the machine for the time.
  await using posthorn = await startPosthorn({ clock: new TestClock(new Date().toISOString()) });
  const [shop, blog] = [await addKeys(posthorn), await addKeys(posthorn)];
  await schedule(posthorn, shop, "ada@example.com");
  await schedule(posthorn, blog, "bob@example.com");
  expect(await jsonBeside(posthorn, ["key", "revoke", shop.id])).toEqual({ id: shop.id, waiting: 1 });
  expect(await jsonBeside(posthorn, ["key", "scheduled", shop.id])).toEqual({ id: shop.id, waiting: 1 });
  const cancelled = { cancelled: 1, inHand: 0 };
  expect(await jsonBeside(posthorn, ["key", "scheduled", shop.id, "--cancel"])).toEqual({ id: shop.id, ...cancelled });
  expect(await jsonBeside(posthorn, ["key", "revoke", blog.id, "--cancel-scheduled"])).toEqual({
    id: blog.id,
    ...cancelled,
  });
  await passes(posthorn, 3);
  expect(posthorn.transport.sent).toEqual([]);
});

test("what one key sent and failed is found, and alone sent again", async () => {
  await using posthorn = await workspace();
  const [shop, blog] = [await addKeys(posthorn), await addKeys(posthorn)];
  posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 No" });
  for (const [{ secret }, to] of [[shop, "ada@example.com"] as const, [blog, "bob@example.com"] as const])
    await ask(posthorn, "POST /v1/send", { key: { bearer: secret }, body: { ...letter, to } });
  await posthorn.settle();
  const { body } = await ask(posthorn, `GET /emails?keyId=${shop.id}`);
  expect(body.data).toMatchObject([{ to: "ada@example.com", status: "FAILED" }]);
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  const filter = { keyId: shop.id };
  expect((await ask(posthorn, "POST /emails/retry", { body: { filter } })).status).toBe(202);
  await posthorn.settle();
  expect(posthorn.transport.recipients.at(-1)).toBe("ada@example.com");
  expect((await ask(posthorn, `GET /emails?keyId=${blog.id}`)).body.data).toHaveLength(1);
});
