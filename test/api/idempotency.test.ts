// Idempotency-Key: a request takes effect once, and every repetition is answered alike.
import { describe, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Posthorn, type Reply } from "../support/posthorn.ts";
import { ask, countOf, everything, scenarios, type Key } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const HOUR_MS = 3_600_000;
const template = { name: "T", subject: "T", body: "T", type: "MARKETING" };
const tracked = { email: "ada@example.com", event: "signed-up", data: { n: 1 } };

function send(posthorn: Posthorn, key: string, changes: object = {}, as: Key = "secret"): Promise<Reply> {
  return ask(posthorn, "POST /v1/send", {
    key: as,
    headers: { "idempotency-key": key },
    body: { ...letter, ...changes },
  });
}

const seen = ({ status, headers, body }: Reply) => [status, headers.get("idempotent-replayed"), body];

describe.each([
  ["POST /v1/send", letter, 200, "emails"],
  ["POST /v1/track", tracked, 200, "events"],
  ["POST /contacts", { email: "ada@example.com" }, 201, "contacts"],
  ["POST /templates", template, 201, "templates"],
] as const)("%s", (route, body, status, table) => {
  test("repeated with its key is answered with the stored status and body, and does nothing more", async () => {
    await using posthorn = await workspace();
    const question = { headers: { "idempotency-key": "order-17" }, body };
    const first = await ask(posthorn, route, question);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([status, null]);
    const before = await everything(posthorn);
    posthorn.clock.advance(60_000);
    expect(seen(await ask(posthorn, route, question))).toEqual([status, "true", first.body]);
    expect(await everything(posthorn)).toEqual(before);
    expect(await countOf(posthorn, table)).toBe(1);
  });

  test("twenty times at once has its effect once and twenty equal answers", async () => {
    await using posthorn = await workspace();
    const question = { headers: { "idempotency-key": "race" }, body };
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(posthorn, route, question)));
    expect(new Set(replies.map((reply) => JSON.stringify([reply.status, reply.body]))).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(19);
    expect(await countOf(posthorn, table)).toBe(1);
  });

  test("without a key takes effect each time", async () => {
    await using posthorn = await workspace();
    for (let time = 0; time < 2; time++) await ask(posthorn, route, { body });
    expect(await countOf(posthorn, table)).toBe(table === "contacts" ? 1 : 2);
  });
});

test("a repeated send is one mail on the wire", async () => {
  await using posthorn = await workspace();
  await Promise.all(Array.from({ length: 20 }, () => send(posthorn, "race")));
  await posthorn.settle();
  await send(posthorn, "race");
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
});

test("a repetition is answered alike even if it could not be made anew", async () => {
  await using posthorn = await workspace();
  const first = await send(posthorn, "k", { sendAt: "2026-03-31T09:00:00Z" });
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
  await ask(posthorn, `DELETE /emails/${first.body.data.emails[0].email}`);
  expect(seen(await send(posthorn, "k", { sendAt: "2026-03-31T09:00:00Z" }))).toEqual([200, "true", first.body]);
});

const pro = { groups: [{ filters: [{ field: "data.plan", value: "pro" }] }] };
const news = { ...template, from: "hello@example.test", audienceType: "SEGMENT" };

describe("a repetition is answered alike although the segment is gone, at", () => {
  const questions: readonly [route: string, body: (segmentId: string, campaign: string) => object][] = [
    ["POST /contacts/bulk-unsubscribe", (segmentId) => ({ filter: { segmentId } })],
    ["POST /campaigns", (segmentId) => ({ ...news, segmentId })],
    ["POST /campaigns/:id/send", () => ({})],
    ["POST /campaigns/:id/duplicate", () => ({})],
  ];

  test.each(questions)("%s", async (route, bodyWith) => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } });
    const { id } = (await ask(posthorn, "POST /segments", { body: { name: "Pro", condition: pro } })).body;
    const campaign = (await ask(posthorn, "POST /campaigns", { body: { ...news, segmentId: id } })).body.data.id;
    const question = { headers: { "idempotency-key": "k" }, body: bodyWith(id, campaign) };
    const path = route.replace(":id", campaign);
    const first = await ask(posthorn, path, question);
    expect(first.status).toBeLessThan(300);
    await posthorn.settle();
    await posthorn.store.write(async (tx) => {
      await tx.run`delete from campaign_segments`;
      await tx.run`delete from segments`;
    });
    expect(seen(await ask(posthorn, path, question))).toEqual([first.status, "true", first.body]);
  });
});

describe("another request under the same key", () => {
  test("with another body is a conflict and does nothing", async () => {
    await using posthorn = await workspace();
    await send(posthorn, "k");
    const before = await everything(posthorn);
    for (const changes of [{ subject: "Other" }, { to: "bob@example.com" }, { unknown: 1 }]) {
      const { status, body } = await send(posthorn, "k", changes);
      expect([status, body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    }
    expect(await everything(posthorn)).toEqual(before);
  });

  test("twenty different ones at once: one of them wins, nineteen are conflicts", async () => {
    await using posthorn = await workspace();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(posthorn, "k", { subject: `No. ${index}` })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(await countOf(posthorn, "emails")).toBe(1);
  });

  test("at another route is another request", async () => {
    await using posthorn = await workspace();
    const headers = { "idempotency-key": "k" };
    expect((await ask(posthorn, "POST /v1/track", { headers, body: tracked })).status).toBe(200);
    expect((await ask(posthorn, "POST /contacts", { headers, body: tracked })).status).toBe(200);
  });

  test("from another workspace is another request", async () => {
    await using posthorn = await workspace();
    const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    const first = await send(posthorn, "k");
    const second = await send(posthorn, "k", { from: "hello@other.example" }, { bearer: other.secret });
    expect(second.status).toBe(200);
    expect(second.headers.get("idempotent-replayed")).toBeNull();
    expect(second.body.data.emails[0].email).not.toBe(first.body.data.emails[0].email);
  });

  test("from another caller of the same workspace gets no answer and has no effect", async () => {
    await using posthorn = await workspace();
    const first = await send(posthorn, "k");
    const { secret } = await addKeys(posthorn);
    const other = await send(posthorn, "k", {}, { bearer: secret });
    expect([other.status, other.body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    expect(other.body.error.message).toContain("Another caller");
    const support = await somebody(posthorn, "SUPPORT");
    const headers = { "idempotency-key": "k" };
    expect((await support.ask("POST /v1/send", { headers, body: letter })).status).toBe(409);
    expect(await countOf(posthorn, "emails")).toBe(1);
    expect(seen(await send(posthorn, "k"))).toEqual([200, "true", first.body]);
  });

  test("from the public key of a set gets nothing that its secret key was answered", async () => {
    await using posthorn = await workspace();
    const question = { headers: { "idempotency-key": "k" }, body: tracked };
    const track = (key: Key) => ask(posthorn, "POST /v1/track", { ...question, key });
    expect((await track("secret")).status).toBe(200);
    expect((await track("public")).status).toBe(409);
    expect((await track("secret")).headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("a key is free again", () => {
  const refusals: readonly [what: string, changes: object, status: number][] = [
    ["the body is not valid", { to: "nobody" }, 422],
    ["the domain is not verified", { from: "hello@elsewhere.example" }, 403],
    ["there is no such template", { template: "x" }, 404],
    ["the contact would hold too much", { data: { x: "x".repeat(66_000) }, persistent: true }, 422],
  ];

  test.each(refusals)("when %s", async (_, changes, status) => {
    await using posthorn = await workspace();
    expect((await send(posthorn, "k", changes)).status).toBe(status);
    expect(await countOf(posthorn, "idempotency_keys")).toBe(0);
    const { status: then, headers } = await send(posthorn, "k");
    expect([then, headers.get("idempotent-replayed")]).toEqual([200, null]);
  });

  test("after a day, not before", async () => {
    await using posthorn = await workspace();
    const first = await send(posthorn, "k");
    posthorn.clock.advance(24 * HOUR_MS - 1);
    await posthorn.settle();
    expect(seen(await send(posthorn, "k"))).toEqual([200, "true", first.body]);
    posthorn.clock.advance(1);
    const { headers, body } = await send(posthorn, "k", { subject: "Other" });
    expect(headers.get("idempotent-replayed")).toBeNull();
    expect(body.data.emails[0].email).not.toBe(first.body.data.emails[0].email);
  });

  test("and old ones do not stay in the store", async () => {
    await using posthorn = await workspace();
    for (let index = 0; index < 5; index++) await send(posthorn, `k${index}`);
    posthorn.clock.advance(24 * HOUR_MS);
    await posthorn.settle();
    expect(await countOf(posthorn, "idempotency_keys")).toBe(0);
  });
});

/** From now on no answer can be kept. */
async function refuseAnswers({ store }: Posthorn): Promise<void> {
  await store.write(async (tx) => {
    if (tx.dialect.name === "sqlite") {
      await tx.run`create trigger full before update on idempotency_keys begin select raise(abort, 'full'); end`;
    } else {
      await tx.run`create function refuse() returns trigger language plpgsql as 'begin raise exception ''full''; end'`;
      await tx.run`create trigger refusal before update on idempotency_keys for each row execute function refuse()`;
    }
  });
}

async function acceptAnswers({ store }: Posthorn): Promise<void> {
  await store.write(async (tx) => {
    if (tx.dialect.name === "sqlite") await tx.run`drop trigger full`;
    else await tx.run`drop trigger refusal on idempotency_keys`;
  });
}

test("key, effect and answer are one change: if one of them cannot be kept, none is", async () => {
  await using posthorn = await workspace();
  await refuseAnswers(posthorn);
  const before = await everything(posthorn);
  const response = await fetch(`${posthorn.server.url}/v1/send`, {
    method: "POST",
    headers: { authorization: `Bearer ${posthorn.keys.secret}`, "idempotency-key": "k" },
    body: JSON.stringify(letter),
  });
  expect(response.status).toBe(500);
  expect(await everything(posthorn)).toEqual(before);
  await acceptAnswers(posthorn);
  expect((await send(posthorn, "k")).headers.get("idempotent-replayed")).toBeNull();
});

test("an answer outlives a restart", async () => {
  const first = await startPosthorn();
  const answer = await send(first, "k");
  await first.server[Symbol.asyncDispose]();
  await using second = await startPosthorn({ dataDir: first.dataDir, clock: first.clock });
  expect(seen(await send(second, "k", {}, { bearer: first.keys.secret }))).toEqual([200, "true", answer.body]);
});

describe("the key itself", () => {
  const shared = sharedPosthorn();
  const good = ["a", "x".repeat(255), "with space and, comma", "'; drop table emails; --", '{}[]\\"', "~"];
  test.each(good)("may be %s", async (key) => {
    const posthorn = shared();
    for (const replayed of [null, "true"])
      expect((await send(posthorn, key)).headers.get("idempotent-replayed")).toBe(replayed);
  });

  scenarios(
    "may not be",
    ["", "x".repeat(256), "tab\there", "Größe"].map((key) => ({
      name: JSON.stringify(key.slice(0, 20)),
      request: "POST /v1/send",
      headers: { "idempotency-key": key },
      body: letter,
      status: 400,
      code: "INVALID_PARAMETERS",
      fields: { "Idempotency-Key": "invalid" },
    })),
  );
});
