// The foot of marketing mail: the way out and the postal address, in the contact's language.
import { expect, test } from "bun:test";
import { mailSent, mailsSent } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const ADDRESS = "Example & Sons\n1 High Street\n\nLondon";
const news = { name: "News", subject: "News", body: "<p>News</p>", from: "hello@example.test", type: "MARKETING" };

async function house(settings: object, template: object = {}): Promise<{ posthorn: Posthorn; template: string }> {
  const posthorn = await workspace();
  await ask(posthorn, "PATCH /workspace", { body: settings });
  const { body } = await ask(posthorn, "POST /templates", { body: { ...news, ...template } });
  return { posthorn, template: body.id };
}

function send(posthorn: Posthorn, template: string, data: object = {}, to: unknown = "ada@example.com") {
  return ask(posthorn, "POST /v1/send", { body: { to, template, subscribed: true, data } });
}

function htmlOf({ html }: { html?: string | false }): string {
  return html || "";
}

test("carries the workspace's postal address, line by line and escaped, in both parts", async () => {
  const { posthorn, template } = await house({ postalAddress: ADDRESS }, { text: "News" });
  await using _ = posthorn;
  await send(posthorn, template);
  const mail = await mailSent(posthorn);
  expect(htmlOf(mail)).toContain("<br>Example &amp; Sons<br>1 High Street<br>London</div>");
  expect(mail.text).toMatch(/^News\n\n--\nUnsubscribe: http\S+\nExample & Sons\n1 High Street\nLondon\n$/);
});

const languages: readonly [what: string, data: object, words: readonly string[]][] = [
  ["the language in its data", { language: "de-AT" }, ['lang="de" dir="ltr"', "Abbestellen"]],
  ["the locale in its data", { locale: "ar" }, ['lang="ar" dir="rtl"', "إلغاء الاشتراك"]],
  ["the workspace's language if it has none", {}, ['lang="fr" dir="ltr"', "Se désabonner"]],
  [
    "the workspace's language if we do not know its own",
    { language: 7, locale: "tlh" },
    ['lang="fr"', "Se désabonner"],
  ],
];
test.each(languages)("speaks %s", async (_, data, words) => {
  const { posthorn, template } = await house({ language: "fr" });
  await using __ = posthorn;
  await send(posthorn, template, data);
  const html = htmlOf(await mailSent(posthorn));
  for (const word of words) expect(html).toContain(word);
});

test("speaks to each recipient of one request in their own language", async () => {
  const { posthorn, template } = await house({});
  await using _ = posthorn;
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { language: "it" } } });
  await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com", data: { language: "pl" } } });
  await send(posthorn, template, {}, ["ada@example.com", "bob@example.com"]);
  const [ada, bob] = (await mailsSent(posthorn)).map(htmlOf);
  expect([ada?.includes('lang="it"'), bob?.includes('lang="pl"')]).toEqual([true, true]);
});

test("is the address alone where the body has the link, and nothing where it has both", async () => {
  const link = '<a href="{{ unsubscribeUrl }}">Out</a>';
  const { posthorn, template } = await house({ postalAddress: "Here 1\nThere" }, { body: `<body>${link}</body>` });
  await using _ = posthorn;
  await send(posthorn, template);
  const html = htmlOf(await mailSent(posthorn));
  expect(html).toMatch(/<div lang="en" dir="ltr" style="[^"]*">Here 1<br>There<\/div><\/body>/);
  const both = { ...news, body: `${link}<p>Here 1, There</p>` };
  const own = (await ask(posthorn, "POST /templates", { body: both })).body.id;
  await send(posthorn, own, {}, "zoe@example.com");
  expect(htmlOf((await mailsSent(posthorn))[1] as { html?: string })).not.toContain("<div");
});

test("stays as it was when the mail was accepted, whatever is set later", async () => {
  const { posthorn, template } = await house({ postalAddress: "Old street", language: "nl" });
  await using _ = posthorn;
  const { body } = await send(posthorn, template);
  await ask(posthorn, "PATCH /workspace", { body: { postalAddress: "New street", language: "sv" } });
  const html = htmlOf(await mailSent(posthorn));
  expect([html.includes("Old street"), html.includes('lang="nl"'), html.includes("New street")]).toEqual([
    true,
    true,
    false,
  ]);
  const raw = (await ask(posthorn, `GET /emails/${body.data.emails[0].email}/raw`)).body;
  expect(raw).toBe(posthorn.transport.sent[0]?.raw.toString());
});

test("is no part of transactional mail", async () => {
  const { posthorn, template } = await house({ postalAddress: ADDRESS }, { type: "TRANSACTIONAL" });
  await using _ = posthorn;
  await send(posthorn, template);
  expect(htmlOf(await mailSent(posthorn)).trim()).toBe("<p>News</p>");
});

test("is in a preview as it would be in the mail", async () => {
  const { posthorn, template } = await house({ postalAddress: ADDRESS, language: "da" });
  await using _ = posthorn;
  const { id } = (await ask(posthorn, "POST /contacts", { body: { email: "a@b.example", data: { language: "cs" } } }))
    .body;
  const shown = async (body: object) =>
    (await ask(posthorn, `POST /templates/${template}/preview`, { body })).body.html;
  expect(await shown({})).toMatch(/lang="da".+<br>Example &amp; Sons<br>/);
  expect(await shown({ contactId: id })).toContain('lang="cs"');
  expect(await shown({ contactId: id, data: { language: "nl" } })).toContain('lang="nl"');
});

test("comes before the end of the body, after whatever letters", async () => {
  const { posthorn, template } = await house({}, { body: "<html><body><p>İSTANBUL'DA İNDİRİM</p></body></html>" });
  await using _ = posthorn;
  await send(posthorn, template);
  expect(htmlOf(await mailSent(posthorn))).toMatch(/<p>İSTANBUL'DA İNDİRİM<\/p><div lang=.*<\/div><\/body><\/html>/s);
});
