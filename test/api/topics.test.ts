// Topics: what a workspace writes about, and what people say of it.
import { expect, test } from "bun:test";
import { checked, exportedFrom, imported } from "../support/files.ts";
import { ledger } from "../support/ledger.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, type Key } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const NEWS = { key: "news", name: { en: "Product news", de: "Neuigkeiten" } };
const TIPS = { key: "tips", name: { en: "Tips" }, default: "out", visible: false };
const ADA = "ada@example.com";

async function made(posthorn: Posthorn, ...topics: object[]): Promise<Json[]> {
  const records: Json[] = [];
  for (const body of topics) {
    const { status, body: record } = await ask(posthorn, "POST /topics", { body });
    expect(status).toBe(201);
    records.push(record);
  }
  return records;
}

async function choices(posthorn: Posthorn, email = ADA): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${email}`)).body.topics;
}

async function heard(posthorn: Posthorn): Promise<Json[]> {
  const { body } = await ask(posthorn, "GET /events?limit=100");
  return body.events
    .filter(({ name }: Json) => name.startsWith("topic."))
    .map(({ name, data }: Json) => [name, data.topic]);
}

test("topics are made, changed, moved and deleted, and each has one key", async () => {
  await using posthorn = await workspace();
  const [news, tips] = await made(posthorn, NEWS, TIPS);
  expect(news).toMatchObject({ ...NEWS, description: {}, default: "in", visible: true, position: 0 });
  expect(tips).toMatchObject({ ...TIPS, position: 1 });
  const [first] = await made(posthorn, { key: "events", name: { de: "Termine" }, position: 0 });
  const keys = async () => (await ask(posthorn, "GET /topics")).body.topics.map(({ key }: Json) => key);
  expect([first?.["position"], await keys()]).toEqual([0, ["events", "news", "tips"]]);
  const moved = await ask(posthorn, "PATCH /topics/tips", { body: { position: 0, name: { en: "Good advice" } } });
  expect(moved.body).toMatchObject({ key: "tips", name: { en: "Good advice" }, default: "out", position: 0 });
  expect(await keys()).toEqual(["tips", "events", "news"]);
  const since = { default: "in", ifUpdatedAt: tips?.["updatedAt"] };
  expect((await ask(posthorn, "PATCH /topics/tips", { body: since })).body.error.reason).toBe("saved_since");
  expect((await ask(posthorn, `DELETE /topics/${first?.["id"]}`)).status).toBe(204);
  const { topics } = (await ask(posthorn, "GET /topics")).body;
  expect(topics.map(({ key, position }: Json) => [key, position])).toEqual([
    ["tips", 0],
    ["news", 1],
  ]);
  const twice = await ask(posthorn, "POST /topics", { body: NEWS });
  expect([twice.status, twice.body.error.reason]).toEqual([409, "topic_key_taken"]);
  expect((await ask(posthorn, "GET /topics/events")).body.error.code).toBe("TOPIC_NOT_FOUND");
});

test("a topic needs a key of small letters and a name in a known language, and a workspace has a hundred at most (slow)", async () => {
  await using posthorn = await workspace();
  const faults = [{ key: "News" }, { key: "a--b" }, { key: "x".repeat(51) }, { name: {} }, { name: { xx: "News" } }];
  const more = [
    { name: { en: " " } },
    { name: "News" },
    { default: "maybe" },
    { position: -1 },
    { description: { en: "" } },
  ];
  for (const fault of [...faults, ...more])
    expect([fault, (await ask(posthorn, "POST /topics", { body: { ...NEWS, ...fault } })).status]).toEqual([
      fault,
      422,
    ]);
  for (let number = 1; number <= 100; number++) await made(posthorn, { key: `t${number}`, name: { en: "T" } });
  const { body } = await ask(posthorn, "POST /topics", { body: NEWS });
  expect(body.error).toMatchObject({
    code: "CONFLICT",
    reason: "limit_reached",
    values: { what: "topics", most: "100" },
  });
  await ask(posthorn, "POST /contacts", { body: { email: ADA, topics: { t100: "out" } } });
  const [listed] = (await ask(posthorn, "GET /contacts")).body.data;
  expect(listed.topics).toMatchObject({ t1: null, t100: "out" });
});

test("what a person says of topics is in every record, and null takes it back", async () => {
  await using posthorn = await workspace();
  const plain = await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com" } });
  expect(plain.body.topics).toEqual({});
  await made(posthorn, NEWS, TIPS);
  const { body } = await ask(posthorn, "POST /contacts", { body: { email: ADA, topics: { tips: "in" } } });
  expect(body.topics).toEqual({ news: null, tips: "in" });
  const said = async (topics: object) => (await ask(posthorn, `PATCH /contacts/${body.id}`, { body: { topics } })).body;
  expect((await said({ news: "out" })).topics).toEqual({ news: "out", tips: "in" });
  expect((await said({ news: "out" })).topics).toEqual({ news: "out", tips: "in" });
  expect(await heard(posthorn)).toEqual([
    ["topic.left", "news"],
    ["topic.joined", "tips"],
  ]);
  expect((await said({ news: null, tips: null })).topics).toEqual({ news: null, tips: null });
  expect((await heard(posthorn)).length).toBe(2);
  await posthorn.settle();
  const noted = (await ledger(posthorn.store, ADA)).map(({ what, topic, door }) => [what, topic, door]);
  expect(noted.toSorted()).toEqual(
    [
      ["subscribed", undefined, "key"],
      ["topic-joined", "tips", "key"],
      ["topic-left", "news", "key"],
      ["topic-unsaid", "news", "key"],
      ["topic-unsaid", "tips", "key"],
    ].toSorted(),
  );
  await said({ news: "in" });
  const expected = { news: "in", tips: null };
  const { data } = (await ask(posthorn, "GET /contacts?sort=email")).body;
  expect(data.map(({ topics }: Json) => topics)).toEqual([expected, { news: null, tips: null }]);
  const found = await ask(posthorn, "POST /contacts/lookup", { body: { emails: [ADA] } });
  const exported = await ask(posthorn, `GET /contacts/${body.id}/export`);
  expect([found.body.found[0].topics, exported.body.contact.topics]).toEqual([expected, expected]);
  const wrong = await ask(posthorn, `PATCH /contacts/${body.id}`, {
    body: { topics: { constructor: "in", news: "in" } },
  });
  expect(wrong.body.error.errors).toMatchObject([{ field: "topics.constructor", code: "unknown_topic" }]);
  expect((await said({ news: "maybe" })).error.code).toBe("VALIDATION_ERROR");
});

test("a public key says of topics what it may say of the subscription", async () => {
  await using posthorn = await workspace();
  await made(posthorn, NEWS);
  const track = async (topics: object, key: Key = "public") =>
    (await ask(posthorn, "POST /v1/track", { key, body: { email: ADA, event: "visit", topics } })).status;
  const may = (publicKeys: object) => ask(posthorn, "PATCH /workspace", { body: { publicKeys } });
  expect([await track({ nothing: "in" }), await track({ news: "out" }), await choices(posthorn)]).toEqual([
    422,
    200,
    { news: "out" },
  ]);
  await may({ update: false });
  await track({ news: "in" });
  expect(await choices(posthorn)).toEqual({ news: "out" });
  await track({ news: "in" }, "secret");
  await may({ update: true, unsubscribe: false });
  await track({ news: "out" });
  expect(await choices(posthorn)).toEqual({ news: "in" });
  await may({ unsubscribe: true });
  await track({ news: "out" });
  await ask(posthorn, "PATCH /workspace", { body: { doubleOptIn: true } });
  await track({ news: "in" });
  expect(await choices(posthorn)).toEqual({ news: "out" });
});

test("many contacts say the same of topics by a job", async () => {
  await using posthorn = await workspace();
  await made(posthorn, NEWS, TIPS);
  await ask(posthorn, "POST /contacts", { body: { email: ADA, topics: { news: "out" } } });
  await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com" } });
  const bulk = (body: object) => ask(posthorn, "POST /contacts/bulk-topics", { body: { filter: {}, ...body } });
  const { status, body } = await bulk({ topics: { news: "in", tips: "out" } });
  await posthorn.settle();
  const { result } = (await ask(posthorn, `GET /contacts/bulk/${body.jobId}`)).body;
  expect([status, result]).toMatchObject([202, { operation: "topics", successCount: 2 }]);
  const both = { news: "in", tips: "out" };
  expect([await choices(posthorn), await choices(posthorn, "bob@example.com")]).toEqual([both, both]);
  expect([
    (await bulk({ topics: {} })).status,
    (await bulk({})).status,
    (await bulk({ topics: { x: "in" } })).status,
  ]).toEqual([422, 422, 422]);
});

test("a file says of topics yes or no, goes out as it came in, and is undone", async () => {
  await using posthorn = await workspace();
  await made(posthorn, NEWS, TIPS);
  await ask(posthorn, "POST /contacts", { body: { email: ADA, topics: { news: "out", tips: "in" } } });
  const file = `email,Topic:news,topic:tips,topic:gone\n${ADA},ja,nein,x\nbob@example.com,abonniert,,\neve@example.com,perhaps,,\n`;
  const check = await checked(posthorn, file);
  expect(check).toMatchObject({ created: 1, updated: 1, failed: 1 });
  expect(check.columns.map(({ field }: Json) => field)).toEqual([
    "email",
    "topic:news",
    "topic:tips",
    "data.topic:gone",
  ]);
  expect(check.warnings).toMatchObject([{ message: "There is no topic gone; this column becomes data." }]);
  expect(check.errors).toMatchObject([{ row: 4, error: "topic:news is neither yes nor no." }]);
  const { id } = await imported(posthorn, file);
  // Who left a topic is not brought back by a file that does not say so.
  expect(await choices(posthorn)).toEqual({ news: "out", tips: "out" });
  expect(await choices(posthorn, "bob@example.com")).toEqual({ news: "in", tips: null });
  const lines = (await exportedFrom(posthorn)).split("\r\n");
  expect(lines[0]).toBe("email,subscribed,topic:news,topic:tips,data.topic:gone");
  expect(lines.find((line) => line.startsWith("bob"))).toBe("bob@example.com,true,in,,");
  await ask(posthorn, `POST /contacts/import/${id}/undo`);
  await posthorn.settle();
  expect(await choices(posthorn)).toEqual({ news: "out", tips: "in" });
});

test("a segment holds who says what of a topic, and the topic stays as long as it is asked for", async () => {
  await using posthorn = await workspace();
  await made(posthorn, NEWS);
  const filter = (value: string, operator = "equals") => ({ field: "topic.news", operator, value });
  const segment = async (name: string, one: object) =>
    ask(posthorn, "POST /segments", { body: { name, condition: { groups: [{ filters: [one] }] } } });
  const out = (await segment("Left the news", filter("out"))).body.id;
  const unsaid = (await segment("Said nothing", filter("unsaid"))).body.id;
  const said = (await segment("Said something", filter("unsaid", "notEquals"))).body.id;
  const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ADA } })).body;
  const count = async (one: string) => (await ask(posthorn, `GET /segments/${one}`)).body.memberCount;
  expect([await count(out), await count(unsaid), await count(said)]).toEqual([0, 1, 0]);
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { topics: { news: "out" } } });
  expect([await count(out), await count(unsaid), await count(said)]).toEqual([1, 0, 1]);
  const why = await ask(posthorn, "POST /segments/explain", { body: { segmentId: out, email: ADA } });
  expect(why.body.filters).toMatchObject([{ matches: true, seen: "out" }]);
  const unknown = await segment("Nobody", { field: "topic.gone", value: "in" });
  expect(unknown.body.error.errors).toMatchObject([
    { field: "condition.groups.0.filters.0.field", code: "unknown_topic" },
  ]);
  expect((await segment("Nobody", filter("maybe"))).status).toBe(422);
  const refused = await ask(posthorn, "DELETE /topics/news");
  expect(refused.body.error).toMatchObject({ code: "CONFLICT", reason: "topic_in_use" });
  expect(refused.body.error.message).toContain("segment Left the news");
});

test("who reads may not write topics, and another workspace has its own", async () => {
  await using posthorn = await workspace();
  await made(posthorn, NEWS);
  const eve = await somebody(posthorn, "SUPPORT");
  expect((await eve.ask("GET /topics")).body.count).toBe(1);
  expect((await eve.ask("POST /topics", { body: TIPS })).status).toBe(403);
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const theirs = { key: { bearer: secret } };
  expect((await ask(posthorn, "GET /topics", theirs)).body).toEqual({ topics: [], count: 0 });
  expect((await ask(posthorn, "DELETE /topics/news", theirs)).status).toBe(404);
  const { body } = await ask(posthorn, "POST /contacts", { ...theirs, body: { email: ADA, topics: { news: "in" } } });
  expect(body.error.code).toBe("VALIDATION_ERROR");
});

test("a topic that is deleted is gone from the records, and counts again under its key", async () => {
  await using posthorn = await workspace();
  await made(posthorn, NEWS);
  await ask(posthorn, "POST /contacts", { body: { email: ADA, topics: { news: "out" } } });
  await ask(posthorn, "DELETE /topics/news");
  expect(await choices(posthorn)).toEqual({});
  await made(posthorn, NEWS);
  expect(await choices(posthorn)).toEqual({ news: "out" });
});
