// Lists, exports and bulk changes of those who say so of a topic.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

async function house(): Promise<Posthorn> {
  const posthorn = await workspace();
  await ask(posthorn, "POST /topics", { body: { key: "news", name: { en: "News" } } });
  await ask(posthorn, "POST /topics", { body: { key: "tips", name: { en: "Tips" } } });
  const said = { ada: { news: "in" }, bob: { news: "out", tips: "in" }, cy: { tips: "out" }, dora: {} };
  for (const [name, topics] of Object.entries(said))
    await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, data: { name }, topics } });
  return posthorn;
}

async function listed(posthorn: Posthorn, query: string) {
  const { body } = await ask(posthorn, `GET /contacts?sort=email&${query}`);
  const names: string[] = body.data.map(({ email }: Json) => email.split("@")[0]);
  return { names, total: body.total };
}

test("a list has those who say so of a topic, also among a search, a segment and an import", async () => {
  await using posthorn = await house();
  expect(await listed(posthorn, "topic=news&choice=in")).toEqual({ names: ["ada"], total: 1 });
  expect(await listed(posthorn, "topic=news&choice=out")).toEqual({ names: ["bob"], total: 1 });
  expect(await listed(posthorn, "topic=news&choice=unsaid")).toEqual({ names: ["cy", "dora"], total: 2 });
  expect((await listed(posthorn, "topic=news&choice=unsaid&limit=1")).total).toBe(2);
  expect(await listed(posthorn, "topic=news&choice=unsaid&search=dor")).toEqual({ names: ["dora"], total: 1 });
  expect(await listed(posthorn, "topic=tips&choice=in&status=UNSUBSCRIBED")).toEqual({ names: [], total: 0 });
  for (const type of ["DYNAMIC", "STATIC"]) {
    const condition = { logic: "AND", groups: [{ filters: [{ field: "email", operator: "contains", value: "@" }] }] };
    const body = { name: type, type, ...(type === "DYNAMIC" ? { condition } : {}) };
    const segment = (await ask(posthorn, "POST /segments", { body })).body.id;
    const emails = { emails: ["bob@example.com", "dora@example.com"] };
    if (type === "STATIC") await ask(posthorn, `POST /segments/${segment}/members`, { body: emails });
    await posthorn.settle();
    const query = `topic=news&choice=out&segmentId=${segment}`;
    expect([type, await listed(posthorn, query)]).toEqual([type, { names: ["bob"], total: 1 }]);
  }
  const none = "importId=019c86f1-0000-7000-8000-000000000000";
  expect(await listed(posthorn, `topic=news&choice=in&${none}`)).toEqual({ names: [], total: 0 });
});

test("exports, bulk changes and members of segments take the same two", async () => {
  await using posthorn = await house();
  const { body: file } = await ask(posthorn, "GET /contacts/export?topic=news&choice=out");
  expect([String(file).includes("bob@example.com"), String(file).includes("ada@example.com")]).toEqual([true, false]);
  const filter = { topic: "news", choice: "unsaid" };
  const job = await ask(posthorn, "POST /contacts/bulk-topics", { body: { filter, topics: { news: "in" } } });
  expect(job.status).toBe(202);
  await posthorn.settle();
  expect((await listed(posthorn, "topic=news&choice=in")).names).toEqual(["ada", "cy", "dora"]);
  const segment = (await ask(posthorn, "POST /segments", { body: { name: "Tips", type: "STATIC" } })).body.id;
  const tips = { filter: { topic: "tips", choice: "in" } };
  await ask(posthorn, `POST /segments/${segment}/members`, { body: tips });
  await posthorn.settle();
  expect((await listed(posthorn, `segmentId=${segment}`)).names).toEqual(["bob"]);
});

test("a topic that is none, and one of the two without the other, are refused and never mean everybody", async () => {
  await using posthorn = await house();
  const asked = { "topic=no&choice=unsaid": "topic", "topic=news": "choice", "choice=out": "topic" };
  for (const [query, field] of Object.entries(asked)) {
    const filter = Object.fromEntries(new URLSearchParams(query));
    const answers = [
      await ask(posthorn, `GET /contacts?${query}`),
      await ask(posthorn, `GET /contacts/export?${query}`),
      await ask(posthorn, "POST /contacts/bulk-unsubscribe", { body: { filter } }),
    ];
    const faults = answers.map(({ status, body }) => [query, status, body.error.errors[0].field]);
    expect(faults).toEqual([
      [query, 400, field],
      [query, 400, field],
      [query, 422, `filter.${field}`],
    ]);
  }
});
