// The page where people choose: its language, their own data, and the question why they leave.
import { expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { LANGUAGES } from "../../src/base/languages/language.ts";
import { questionTextsIn } from "../../src/base/languages/questions.ts";
import { statistics } from "../support/campaigns.ts";
import { mailsSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { keeping, later } from "../support/retention.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const ASKED = "Why did you leave?";
const mail = { from: "news@example.test", subject: "Hi", body: "<p>Hi</p>" };

async function made(posthorn: Posthorn, route: string, body: object): Promise<Json> {
  const reply = await ask(posthorn, route, { body });
  expect([route, reply.status < 300 ? "" : reply.body]).toEqual([route, ""]);
  return "id" in reply.body ? reply.body : (reply.body.data ?? reply.body);
}

async function page(url: string, form?: string, language = "en"): Promise<string> {
  const headers = { "accept-language": language, ...(form === undefined ? {} : FORM) };
  const reply = await fetch(url, form === undefined ? { headers } : { method: "POST", headers, body: form });
  expect(reply.status).toBe(200);
  return reply.text();
}

/** A marketing mail to somebody; answers the address of the page behind its link. */
async function mailed(posthorn: Posthorn, email: string, topic?: string): Promise<string> {
  const { id } = await made(posthorn, "POST /templates", { ...mail, name: "M", type: "MARKETING", topic });
  const { emails } = await made(posthorn, "POST /v1/send", { template: id, to: email, subscribed: true });
  const [one] = emails;
  return linksFor(posthorn.secrets, posthorn.server.url, { contactId: one.contact.id, emailId: one.email }).manageUrl;
}

/** A campaign to so many readers; answers its id and their pages. */
async function campaign(posthorn: Posthorn, readers: number, topic?: string) {
  for (let reader = 1; reader <= readers; reader++)
    await made(posthorn, "POST /contacts", { email: `reader${reader}@example.com` });
  const { id } = await made(posthorn, "POST /campaigns", { ...mail, name: "News", audienceType: "ALL", topic });
  await made(posthorn, `POST /campaigns/${id}/send`, {});
  const pages = (await mailsSent(posthorn)).map(({ html }) => {
    const [, token] = /\/unsubscribe\/([\w-]+)/.exec(String(html)) ?? [];
    return `${posthorn.server.url}/manage/${token}`;
  });
  return { id, pages };
}

async function answers(posthorn: Posthorn, query = ""): Promise<Json[]> {
  return (await ask(posthorn, `GET /contacts/leaving-answers${query}`)).body.data;
}

const contactOf = async (posthorn: Posthorn, email: string) =>
  (await ask(posthorn, `GET /contacts/by-email/${email}`)).body;

test("who chooses a language is spoken to in it, and it is kept where the contact's data names one (slow)", async () => {
  await using posthorn = await workspace();
  const manageUrl = await mailed(posthorn, "ada@example.com");
  const shown = await page(manageUrl);
  for (const language of LANGUAGES) expect(shown).toContain(`<option value="${language}" lang="${language}"`);
  expect(shown).toContain('<option value="en" lang="en" selected>');
  const german = await page(manageUrl, "language=de");
  expect(german).toContain('<html lang="de"');
  expect(german).toContain("Ihre Auswahl wurde gespeichert.");
  expect((await contactOf(posthorn, "ada@example.com")).data).toEqual({ language: "de" });
  await made(posthorn, "POST /contacts", { email: "ada@example.com", data: { language: null, locale: "fr-CA" } });
  expect(await page(manageUrl)).toContain('<html lang="fr"');
  expect(await page(manageUrl, "language=zh-Hant")).toContain('<html lang="zh-Hant"');
  expect((await contactOf(posthorn, "ada@example.com")).data).toEqual({ locale: "zh-Hant" });
  expect(await page(manageUrl, "language=tlh")).toContain('<html lang="zh-Hant"');
});

test("a change of language is told as a change of the contact, and segments follow it", async () => {
  await using posthorn = await workspace();
  const manageUrl = await mailed(posthorn, "ada@example.com");
  const filters = [{ field: "data.language", operator: "equals", value: "de" }];
  const segment = await made(posthorn, "POST /segments", {
    name: "Germans",
    condition: { logic: "AND", groups: [{ filters }] },
  });
  await page(manageUrl, "language=de");
  await posthorn.settle();
  const { data } = (await ask(posthorn, `GET /segments/${segment.id}/contacts`)).body;
  expect(data.map(({ email }: Json) => email)).toEqual(["ada@example.com"]);
});

test("the page shows the fields that the workspace chose, in the reader's words, and nothing without a value", async () => {
  await using posthorn = await workspace();
  const fields = ["plan", "since", "points", "vip", "tags", "note", "city", "nested", "missing"];
  const data = [
    { field: "data.plan", label: { en: "Your plan", de: "Ihr Tarif", fr: null } },
    ...fields.slice(1).map((key) => ({ field: `data.${key}` })),
  ];
  const saved = (await ask(posthorn, "PATCH /workspace", { body: { preferencePage: { data } } })).body;
  expect(saved.preferencePage).toEqual({
    data: [{ field: "data.plan", label: { en: "Your plan", de: "Ihr Tarif" } }, ...data.slice(1)].map((one) => ({
      label: {},
      ...one,
    })),
    asksWhy: true,
  });
  const manageUrl = await mailed(posthorn, "ada@example.com");
  const own = { plan: '<b>"pro"</b>', since: "2026-02-01", points: 12345.5, vip: true, tags: ["a", 2, { x: 1 }] };
  const more = { note: "x".repeat(500), city: "  ", nested: { deep: 1 }, secret: "unchosen", language: "de" };
  await made(posthorn, "POST /contacts", { email: "ada@example.com", data: { ...own, ...more } });
  const shown = await page(manageUrl);
  const rows = [...shown.matchAll(/<dt><bdi>(.*?)<\/bdi><\/dt><dd><bdi>(.*?)<\/bdi><\/dd>/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(rows).toEqual([
    ["Ihr Tarif", "&lt;b&gt;&quot;pro&quot;&lt;/b&gt;"],
    ["since", "1. Februar 2026"],
    ["points", "12.345,5"],
    ["vip", "ja"],
    ["tags", "a, 2"],
    ["note", `${"x".repeat(200)}…`],
  ]);
  expect(shown).not.toContain("unchosen");
  const other = linksFor(posthorn.secrets, posthorn.server.url, {
    contactId: crypto.randomUUID(),
    emailId: crypto.randomUUID(),
  });
  expect(await (await fetch(other.manageUrl)).text()).not.toContain("<dl>");
  const wrong = [
    [[{ field: "plan" }], "preferencePage.data.0.field"],
    [[{ field: "data.a" }, { field: "data.a" }], "preferencePage.data.1.field"],
    [[{ field: "data.a", label: { tlh: "x" } }], "preferencePage.data.0.label"],
    [Array.from({ length: 21 }, (_, at) => ({ field: `data.f${at}` })), "preferencePage.data"],
  ] as const;
  for (const [given, field] of wrong) {
    const refused = await ask(posthorn, "PATCH /workspace", { body: { preferencePage: { data: given } } });
    expect(refused.body.error.errors[0].field).toStartWith(field);
  }
});

test("values keep all their digits, days are those that were written, and lists are told apart in every language", async () => {
  await using posthorn = await workspace();
  const own = { price: 0.00012, day: "2026-11-27T23:30:00-05:00", noDay: "2026-02-30", tags: ["red", "green", "blue"] };
  const data = Object.keys(own).map((key) => ({ field: `data.${key}` }));
  await ask(posthorn, "PATCH /workspace", { body: { preferencePage: { data } } });
  const manageUrl = await mailed(posthorn, "ada@example.com");
  await made(posthorn, "POST /contacts", { email: "ada@example.com", data: own });
  const values = async (language: string) =>
    [...(await page(manageUrl, undefined, language)).matchAll(/<dd><bdi>(.*?)<\/bdi>/g)].map(([, value]) => value);
  expect(await values("en")).toEqual(["0.00012", "November 27, 2026", "2026-02-30", "red, green, blue"]);
  for (const language of LANGUAGES) expect((await values(language)).at(-1)).toMatch(/^red\P{L}+green\P{L}+blue$/u);
  expect((await values("zh")).at(-1)).toBe("red、green、blue");
});

test("who has just left is asked why, in every language, and not where the workspace does not ask (slow)", async () => {
  await using posthorn = await workspace();
  for (const language of LANGUAGES) {
    const manageUrl = await mailed(posthorn, `${language}@example.com`);
    expect(await page(manageUrl, undefined, language)).not.toContain('name="why"');
    const left = await page(manageUrl, "subscribed=false", language);
    const texts = questionTextsIn(language);
    for (const words of [texts.whyTitle, texts.whyText, texts["never-signed-up"], texts.other, texts.send])
      expect(left).toContain(words);
    expect(await page(manageUrl, "why=other", language)).toContain(`<p role="status">${texts.thanks}</p>`);
  }
  expect(await answers(posthorn, "?limit=100")).toHaveLength(LANGUAGES.length);
  await ask(posthorn, "PATCH /workspace", { body: { preferencePage: { asksWhy: false } } });
  const manageUrl = await mailed(posthorn, "quiet@example.com");
  expect(await page(manageUrl, "subscribed=false")).not.toContain(ASKED);
  await page(manageUrl, "why=other");
  expect(await answers(posthorn, "?limit=100")).toHaveLength(LANGUAGES.length);
});

test("an answer is one a mail, a later one takes its place, and only who has left can give one", async () => {
  await using posthorn = await workspace();
  const manageUrl = await mailed(posthorn, "ada@example.com");
  await page(manageUrl, "why=too-many");
  expect(await answers(posthorn)).toEqual([]);
  await page(manageUrl, "subscribed=false");
  await page(manageUrl, "why=too-many&words=");
  const words = `  One\r\nline ${"y".repeat(600)}`;
  await page(manageUrl, new URLSearchParams({ words }).toString());
  const [answer, ...others] = await answers(posthorn);
  expect(others).toEqual([]);
  expect(answer).toMatchObject({ reason: "other", email: "ada@example.com", topic: null, campaign: null });
  expect(answer.words).toBe(`One line ${"y".repeat(491)}`);
  await page(manageUrl, "why=nonsense");
  await page(manageUrl, "why=not-relevant&left=nothing");
  expect(await answers(posthorn)).toMatchObject([{ reason: "not-relevant", words: null, topic: null }]);
  // Without a token that is ours, nothing is told and nothing kept.
  const headers = FORM;
  const invented = `${posthorn.server.url}/manage/${"A".repeat(59)}`;
  const broken = await fetch(invented, { method: "POST", headers, body: "why=other&words=Hello" });
  expect([broken.status, (await broken.text()).includes("not valid")]).toEqual([200, true]);
  expect(await answers(posthorn)).toHaveLength(1);
});

test("who leaves a topic is asked as well, by the page and by one click, and the answer names the topic", async () => {
  await using posthorn = await workspace();
  await made(posthorn, "POST /topics", { key: "news", name: { en: "News" } });
  await made(posthorn, "POST /topics", { key: "tips", name: { en: "Tips" } });
  const manageUrl = await mailed(posthorn, "ada@example.com", "news");
  const left = await page(manageUrl, "listed=news&listed=tips&topic=news");
  expect(left).toContain('<input type="hidden" name="left" value="tips">');
  await page(manageUrl, "why=too-many&left=tips");
  expect(await answers(posthorn)).toMatchObject([{ reason: "too-many", topic: "tips" }]);
  const clicked = await page(manageUrl.replace("/manage/", "/unsubscribe/"), "List-Unsubscribe=One-Click");
  expect(clicked).toContain('name="left" value="news"');
  expect(clicked).toContain(ASKED);
  await page(manageUrl, "why=other&left=gone");
  expect(await answers(posthorn)).toMatchObject([{ reason: "too-many", topic: "tips" }]);
});

test("a campaign counts the reasons, each lists its answers, newest first and page by page", async () => {
  await using posthorn = await workspace();
  const { id, pages } = await campaign(posthorn, 4);
  const said = ["why=too-many&words=First", "why=too-many&words=Second", "why=never-signed-up", null];
  for (const [at, form] of said.entries()) {
    await page(pages[at] as string, "subscribed=false");
    if (form) await page(pages[at] as string, form);
  }
  expect((await statistics(posthorn, id)).leftBecause).toEqual({
    "too-many": 2,
    "not-relevant": 0,
    "never-signed-up": 1,
    other: 0,
  });
  const first = (await ask(posthorn, `GET /contacts/leaving-answers?campaignId=${id}&reason=too-many&limit=1`)).body;
  expect(first).toMatchObject({ hasMore: true, data: [{ words: "Second", campaign: { id, name: "News" } }] });
  const next = await answers(posthorn, `?campaignId=${id}&reason=too-many&limit=1&cursor=${first.cursor}`);
  expect(next).toMatchObject([{ words: "First" }]);
  expect(await answers(posthorn, `?campaignId=${crypto.randomUUID()}`)).toEqual([]);
  expect((await answers(posthorn)).map(({ reason }) => reason)).toEqual(["never-signed-up", "too-many", "too-many"]);
});

test("an erasure deletes the words of an answer on leaving; the campaign keeps its reason, and the export has the words (slow)", async () => {
  await using posthorn = await workspace();
  const { id, pages } = await campaign(posthorn, 1);
  await page(pages[0] as string, "subscribed=false");
  await page(pages[0] as string, "why=other&words=Unmistakable");
  const single = await mailed(posthorn, "reader1@example.com");
  await page(single, "subscribed=false");
  await page(single, "why=too-many&words=Unmistakable+too");
  const contact = await contactOf(posthorn, "reader1@example.com");
  const file = (await ask(posthorn, `GET /contacts/${contact.id}/export`)).body;
  expect(file.leavingAnswers.map(({ words }: Json) => words)).toEqual(["Unmistakable", "Unmistakable too"]);
  expect((await ask(posthorn, `DELETE /contacts/${contact.id}`)).status).toBe(204);
  await posthorn.settle();
  expect((await statistics(posthorn, id)).leftBecause.other).toBe(1);
  expect(await answers(posthorn)).toMatchObject([{ reason: "other", words: null, contactId: null, emailId: null }]);
});

test("with the record of an email its answer loses who gave it and their words (slow)", async () => {
  await using posthorn = await keeping({ mailDays: 31 });
  const { id, pages } = await campaign(posthorn, 1);
  await page(pages[0] as string, "subscribed=false");
  await page(pages[0] as string, "why=not-relevant&words=Gone+soon");
  await later(posthorn, 32);
  expect((await statistics(posthorn, id)).leftBecause["not-relevant"]).toBe(1);
  expect(await answers(posthorn)).toMatchObject([{ reason: "not-relevant", words: null, contactId: null }]);
  await page(pages[0] as string, "why=other&words=Late");
  expect(await answers(posthorn)).toMatchObject([{ reason: "not-relevant" }]);
});

test("another workspace's answers and campaigns do not exist", async () => {
  await using posthorn = await workspace();
  const { id, pages } = await campaign(posthorn, 1);
  await page(pages[0] as string, "subscribed=false");
  await page(pages[0] as string, "why=other&words=Ours");
  const { secret } = await addWorkspace(posthorn, { name: "Stranger", domain: "stranger.example" });
  const stranger = { bearer: secret };
  for (const query of ["", `?campaignId=${id}`])
    expect((await ask(posthorn, `GET /contacts/leaving-answers${query}`, { key: stranger })).body.data).toEqual([]);
});

test("what an older page still offers, and cannot be done any more, is not said to be saved", async () => {
  await using posthorn = await workspace();
  await made(posthorn, "POST /topics", { key: "news", name: { en: "News" }, default: "in" });
  const manageUrl = await mailed(posthorn, "ada@example.com");
  const saved = async (form: string) => (await page(manageUrl, form)).includes('role="status"');
  expect(await saved("why=other")).toBe(false);
  expect(await saved("pause=30")).toBe(true);
  expect(await saved("subscribed=false")).toBe(true);
  for (const form of ["pause=60", "pause=0", "listed=news&topic=news"])
    expect([form, await saved(form)]).toEqual([form, false]);
  expect(await saved("why=other")).toBe(true);
});

test("hostile forms change nothing that they must not, and none is a fault of the server (slow)", async () => {
  await using posthorn = await workspace();
  const manageUrl = await mailed(posthorn, "ada@example.com");
  await made(posthorn, "POST /contacts", { email: "ada@example.com", data: { full: "x".repeat(65_524) } });
  const values = [
    "",
    "-1",
    "1e9",
    "30.0",
    "__proto__",
    "\u0000",
    "\ud800",
    "<script>",
    "' or 1=1 --",
    "x".repeat(4_000),
  ];
  const fields = ["subscribed", "pause", "language", "why", "words", "left", "listed", "topic", "constructor"];
  for (const [at, field] of fields.entries())
    for (const value of values) {
      const body = new URLSearchParams([
        [field, value],
        [fields[(at + 3) % fields.length] as string, value],
      ]).toString();
      const reply = await fetch(manageUrl, { method: "POST", headers: FORM, body });
      expect([field, value, reply.status]).toEqual([field, value, 200]);
      expect(await reply.text()).not.toContain("<script>");
    }
  // There is no room for one word more.
  expect(await page(manageUrl, "language=de")).toContain('<html lang="en"');
  expect(await contactOf(posthorn, "ada@example.com")).toMatchObject({
    subscribed: true,
    pausedUntil: null,
    topics: {},
  });
  expect(await answers(posthorn)).toEqual([]);
  await page(manageUrl, "subscribed=false");
  await page(manageUrl, new URLSearchParams({ words: "a\u0000b\ud800<b>" }).toString());
  expect((await answers(posthorn))[0]?.words).toBe("a b\ufffd<b>");
});
