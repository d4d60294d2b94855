// What an editor begins a mail with: the brand of a workspace, and blocks that were saved under a name.
import { describe, expect, test } from "bun:test";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";

const NONE = {
  ...{ colors: {}, font: null, logoUrl: null, logoAlt: null, from: null, fromName: null, replyTo: null, footer: null },
  ...{ updatedAt: "1970-01-01T00:00:00.000Z", updatedBy: null },
};
const full = {
  colors: { accent: "#9a5b12", "dim-text": "#6B665B" },
  font: "Georgia, serif",
  logoUrl: "https://mail.example.com/i/logo.png",
  logoAlt: "Example",
  from: "News <News@Example.test>",
  replyTo: "help@example.test",
  footer: "<p>{{ company ?? 'Example' }}</p>",
};
const design = { kind: "tiptap", source: { type: "doc" } };
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

scenarios("PUT /workspace/brand", [
  {
    name: "keeps all of it, addresses in their stored form",
    request: "PUT /workspace/brand",
    body: full,
    status: 200,
    answer: { ...full, from: "news@example.test", fromName: "News", replyTo: "help@example.test" },
  },
  {
    name: "replaces what was there",
    given: [["PUT /workspace/brand", full]],
    request: "PUT /workspace/brand",
    body: { colors: null, font: "", footer: "" },
    status: 200,
    answer: { ...NONE, updatedAt: expect.any(String), updatedBy: expect.anything() },
  },
  {
    name: "refuses each field that cannot be used",
    request: "PUT /workspace/brand",
    body: { colors: { accent: "red" }, from: "nobody", replyTo: "x", footer: "{% if %}" },
    status: 422,
    fields: { colors: "invalid", from: "invalid_email", replyTo: "invalid_email", footer: "template_syntax" },
  },
  {
    name: "refuses what would lead out of a style or an attribute",
    request: "PUT /workspace/brand",
    body: { font: "x</style>", logoUrl: "javascript:alert(1)" },
    status: 422,
    fields: { font: "invalid", logoUrl: "invalid" },
  },
  {
    name: "refuses more colours than a palette has, and names that are none",
    request: "PUT /workspace/brand",
    body: { colors: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`c${n}`, "#000000"])) },
    status: 422,
    fields: { colors: "too_big" },
  },
]);

describe("the brand", () => {
  test("is none before it is set, and nobody else's", async () => {
    await using posthorn = await startPosthorn();
    expect((await ask(posthorn, "GET /workspace/brand")).body).toEqual(NONE);
    await ask(posthorn, "PUT /workspace/brand", { body: full });
    const key = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
    expect((await ask(posthorn, "GET /workspace/brand", { key })).body).toEqual(NONE);
  });

  test("is set by one of ten at once who have seen the same, and not by who only reads", async () => {
    await using posthorn = await startPosthorn();
    const [editor, support] = [await somebody(posthorn, "EDITOR"), await somebody(posthorn, "SUPPORT")];
    const seen = (await editor.ask("GET /workspace/brand")).body.updatedAt;
    const set = (n: number) => editor.ask("PUT /workspace/brand", { body: { font: `F${n}`, ifUpdatedAt: seen } });
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => set(n)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    expect((await support.ask("PUT /workspace/brand", { body: {} })).status).toBe(403);
    expect((await support.ask("GET /workspace/brand")).body.updatedBy.name).toBe("EDITOR");
  });
});

scenarios("POST /blocks", [
  {
    name: "keeps a piece of HTML and its design",
    request: "POST /blocks",
    body: { name: "Signature", body: "<p>{{ name }}</p>", design: { ...design, other: 1 } },
    status: 201,
    answer: { name: "Signature", body: "<p>{{ name }}</p>", design, updatedBy: { kind: "KEY" } },
  },
  {
    name: "refuses what does not parse and what is too long",
    request: "POST /blocks",
    body: { name: " ", body: "x".repeat(100_001) },
    status: 422,
    fields: { name: "invalid", body: "too_big" },
  },
  {
    name: "says where it does not parse",
    request: "POST /blocks",
    body: { name: "X", body: "{% for %}" },
    status: 422,
    fields: { body: "template_syntax" },
  },
]);

describe("a block", () => {
  test("is listed, changed, guarded and deleted", async () => {
    await using posthorn = await startPosthorn();
    const made = (await ask(posthorn, "POST /blocks", { body: { name: "One", body: "<p>1</p>", design } })).body;
    await ask(posthorn, "POST /blocks", { body: { name: "Two" } });
    const { body } = await ask(posthorn, "GET /blocks?pageSize=1");
    expect([body.total, body.data[0].name]).toEqual([2, "Two"]);
    expect((await ask(posthorn, `GET /blocks/${made.id}`)).body).toEqual(made);
    const change = (input: object) => ask(posthorn, `PUT /blocks/${made.id}`, { body: input });
    expect((await change({ name: "Uno" })).body).toMatchObject({ name: "Uno", body: "<p>1</p>", design });
    expect((await change({ body: "<p>2</p>", ifUpdatedAt: made.updatedAt })).body.error.reason).toBe("saved_since");
    expect((await change({ body: "<p>2</p>" })).body).toMatchObject({ body: "<p>2</p>", design: null });
    expect((await ask(posthorn, `DELETE /blocks/${made.id}`)).status).toBe(204);
    expect((await ask(posthorn, `GET /blocks/${made.id}`)).body.error.code).toBe("BLOCK_NOT_FOUND");
  });

  test("is one of five hundred at most", async () => {
    await using posthorn = await startPosthorn();
    await ask(posthorn, "POST /blocks", { body: { name: "One" } });
    await posthorn.store.write(async (tx) => {
      for (let n = 1; n < 500; n++)
        await tx.run`
          insert into blocks (id, workspace, name, body, created_at, updated_at)
          select cast(${`b${n}`} as text), workspace, name, body, created_at, updated_at from blocks where name = 'One' limit 1`;
    });
    expect((await ask(posthorn, "POST /blocks", { body: { name: "More" } })).status).toBe(409);
  });
});

test("An image stays as long as a block or the brand names it", async () => {
  await using posthorn = await startPosthorn();
  const { id, url } = (await ask(posthorn, "POST /images", { body: { name: "logo.png", content: PIXEL } })).body;
  const isUsed = async (posthorn: Posthorn) => (await ask(posthorn, `GET /images/${id}`)).body.isUsed;
  const block = (await ask(posthorn, "POST /blocks", { body: { name: "Head", body: `<img src="${url}">` } })).body;
  expect(await isUsed(posthorn)).toBe(true);
  await ask(posthorn, `DELETE /blocks/${block.id}`);
  expect(await isUsed(posthorn)).toBe(false);
  await ask(posthorn, "PUT /workspace/brand", { body: { logoUrl: url } });
  expect((await ask(posthorn, `DELETE /images/${id}`)).body.error.reason).toBe("image_in_use");
  await ask(posthorn, "PUT /workspace/brand", { body: {} });
  expect((await ask(posthorn, `DELETE /images/${id}`)).status).toBe(204);
});
