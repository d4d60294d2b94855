// What an editor begins a mail with: the brand of a workspace, and blocks that were saved under a name.
import { describe, expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { contentOf, mailSent } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask, scenarios, type Key } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const NONE = {
  ...{ colors: {}, font: null, logoUrl: null, logoAlt: null, from: null, fromName: null, replyTo: null, footer: null },
  pageFooter: null,
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
  pageFooter: "Example Ltd\n1 Quay Street",
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
    body: { colors: null, font: "", footer: "", pageFooter: " " },
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
    name: "refuses a text below pages that is a page itself",
    request: "PUT /workspace/brand",
    body: { pageFooter: "x".repeat(501) },
    status: 422,
    fields: { pageFooter: "too_big" },
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
    await using posthorn = await workspace();
    expect((await ask(posthorn, "GET /workspace/brand")).body).toEqual(NONE);
    await ask(posthorn, "PUT /workspace/brand", { body: full });
    const key = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
    expect((await ask(posthorn, "GET /workspace/brand", { key })).body).toEqual(NONE);
  });

  test("is set by one of ten at once who have seen the same, and not by who only reads", async () => {
    await using posthorn = await workspace();
    const [editor, support] = [await somebody(posthorn, "EDITOR"), await somebody(posthorn, "SUPPORT")];
    const seen = (await editor.ask("GET /workspace/brand")).body.updatedAt;
    const set = (n: number) => editor.ask("PUT /workspace/brand", { body: { font: `F${n}`, ifUpdatedAt: seen } });
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => set(n)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    expect((await support.ask("PUT /workspace/brand", { body: {} })).status).toBe(403);
    expect((await support.ask("GET /workspace/brand")).body.updatedBy.name).toBe("EDITOR");
  });
});

const styleOf = (page: string) => page.slice(page.indexOf("<style>"), page.indexOf("</style>"));

/** A page for a contact of the workspace whose key it is, and its policy. */
async function pageFor(posthorn: Posthorn, key: Key = "secret"): Promise<{ body: string; policy: string }> {
  const { id } = (await ask(posthorn, "POST /contacts", { key, body: { email: "ada@example.com" } })).body;
  const { manageUrl } = linksFor(posthorn.secrets, "", { contactId: id, emailId: id });
  const { body, headers } = await ask(posthorn, `GET ${manageUrl}`, { key: "none" });
  return { body, policy: headers.get("content-security-policy") ?? "" };
}

describe("pages that recipients reach", () => {
  test("wear the brand of their workspace at once, and nobody else's", async () => {
    await using posthorn = await workspace();
    const stranger = {
      bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret,
    };
    const before = await pageFor(posthorn);
    expect(before.body).toContain("--accent: #1a4fd6; --on-accent: #ffffff");
    expect(before.body).not.toMatch(/<img|<footer/);
    expect(before.policy).not.toContain("img-src");

    const colors = { accent: "#ffd400", paper: "#fffaf0", ground: "#f3e9d2", ink: "#222222" };
    await ask(posthorn, "PUT /workspace/brand", { body: { ...full, colors } });
    const { body, policy } = await pageFor(posthorn);
    expect(body).toContain("--ground: #f3e9d2; --paper: #fffaf0; --ink: #222222");
    expect(body).toContain("--accent: #ffd400; --on-accent: #000000");
    expect(body).toContain("1.5 Georgia, serif");
    expect(body).toContain('<main><img src="https://mail.example.com/i/logo.png" alt="Example"><h1>');
    expect(body).toContain('</main>\n<footer dir="auto">Example Ltd\n1 Quay Street</footer>');
    expect(policy).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src https://mail.example.com; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    const others = await pageFor(posthorn, stranger);
    expect([styleOf(others.body), others.policy]).toEqual([styleOf(before.body), before.policy]);
    expect(others.body).not.toMatch(/<img|<footer/);
  });

  test("are safe from what a brand says", async () => {
    await using posthorn = await workspace();
    const set = (body: object) => ask(posthorn, "PUT /workspace/brand", { body });
    await set({
      logoUrl: "https://a.example/logo.png?a=1&b=2;c",
      logoAlt: '"><script>',
      pageFooter: "</footer><script>alert(1)</script> https://a.example/?x=1&y=2, (http://b.example/imprint).",
    });
    const { body, policy } = await pageFor(posthorn);
    expect(body).toContain('<img src="https://a.example/logo.png?a=1&amp;b=2;c" alt="&quot;&gt;&lt;script&gt;">');
    expect(body).toContain(
      '&lt;/footer&gt;&lt;script&gt;alert(1)&lt;/script&gt; <a href="https://a.example/?x=1&amp;y=2">https://a.example/?x=1&amp;y=2</a>, ' +
        '(<a href="http://b.example/imprint">http://b.example/imprint</a>).',
    );
    expect(body).not.toContain("<script");
    expect(policy).toContain("; img-src https://a.example; ");
    await set({ font: '"Georgia; color: #ffffff', logoUrl: "https://a.example;script-src/x.png" });
    const without = await pageFor(posthorn);
    expect(without.body).not.toMatch(/Georgia|<img/);
    expect(without.policy).not.toContain("example");
  });

  test("wear no brand if it is unknown whose they are", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "PUT /workspace/brand", { body: full });
    const { body } = await ask(posthorn, "GET /manage/broken", { key: "none" });
    expect(body).not.toMatch(/<img|<footer|Georgia|#9a5b12/);
  });
});

test("The mail that asks to confirm a sign-up wears the brand as well, whatever its words look like (slow)", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "PUT /workspace/brand", {
    body: {
      ...full,
      colors: { accent: "#ffd400", paper: "#fffaf0" },
      logoAlt: "{{ email }}",
      pageFooter: "{{ 1 }} & <b>\nBonn",
    },
  });
  await ask(posthorn, "POST /contacts", {
    body: { email: "ada@example.com", doubleOptIn: true, data: { footer: "Mine" } },
  });
  const { html, text } = contentOf(await mailSent(posthorn));
  expect(html).toContain("background:#ffd400;color:#000000");
  expect(html).toContain("background:#fffaf0;color:#1a1a1a");
  expect(html).toContain('<img src="https://mail.example.com/i/logo.png" alt="{{ email }}" width="120">');
  expect(html).toContain("{{ 1 }} &amp; &lt;b&gt;<br />\nBonn</p>");
  expect(text).toEndWith("\n{{ 1 }} & <b>\nBonn");
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
  test("is listed, changed, guarded and deleted (slow)", async () => {
    await using posthorn = await workspace();
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
    await using posthorn = await workspace();
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
  await using posthorn = await workspace();
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
