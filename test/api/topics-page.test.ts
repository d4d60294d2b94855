// The pages of recipients where there are topics: one click leaves the topic of the mail, and the page offers all.
import { expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { ledger } from "../support/ledger.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { statistics } from "../support/campaigns.ts";
import { mailsSent } from "../support/mails.ts";
import { keeping, later } from "../support/retention.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@example.com";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

async function made(posthorn: Posthorn, route: string, body: object): Promise<Json> {
  const reply = await ask(posthorn, route, { body });
  expect([route, reply.status < 300 ? "" : reply.body]).toEqual([route, ""]);
  return reply.body.data ?? reply.body;
}

async function contact(posthorn: Posthorn): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${ADA}`)).body;
}

/** Ada has a mail of the topic, or of none; answers the paths of its links. */
async function mailed(posthorn: Posthorn, topic?: string) {
  const mail = { from: "news@example.test", subject: "Hi", body: "<p>Hi</p>", name: "M", type: "MARKETING" };
  const template = await made(posthorn, "POST /templates", { ...mail, topic });
  const { emails } = await made(posthorn, "POST /v1/send", { template: template.id, to: ADA, subscribed: true });
  const [{ contact, email }] = emails;
  return linksFor(posthorn.secrets, posthorn.server.url, { contactId: contact.id, emailId: email });
}

async function page(url: string, form?: string, language = "en"): Promise<string> {
  const headers = { "accept-language": language, ...(form === undefined ? {} : FORM) };
  const reply = await fetch(url, form === undefined ? { headers } : { method: "POST", headers, body: form });
  expect(reply.status).toBe(200);
  return reply.text();
}

async function house(posthorn?: Posthorn): Promise<Posthorn> {
  posthorn ??= await workspace();
  const news = { en: "Product <news>", de: "Neuigkeiten" };
  await made(posthorn, "POST /topics", { key: "news", name: news, description: { en: "Once a month." } });
  await made(posthorn, "POST /topics", { key: "tips", name: { en: "Tips" }, default: "out" });
  await made(posthorn, "POST /topics", { key: "trade", name: { en: "For dealers" }, visible: false });
  return posthorn;
}

test("one click in a mail of a topic leaves that topic alone, and the page then offers all (slow)", async () => {
  await using posthorn = await house();
  const { unsubscribeUrl, manageUrl } = await mailed(posthorn, "news");
  const shown = await page(unsubscribeUrl);
  expect(shown).toContain('value="news" checked><span><bdi>Product &lt;news&gt;</bdi>');
  expect(await contact(posthorn)).toMatchObject({ subscribed: true, topics: { news: null } });
  const left = await page(unsubscribeUrl, "List-Unsubscribe=One-Click");
  expect(left).toContain('<p role="status">You will no longer receive “<bdi>Product &lt;news&gt;</bdi>”.</p>');
  expect(left).toContain('name="topic" value="news"><span>');
  expect(left).toContain('name="subscribed" value="false"');
  expect(await contact(posthorn)).toMatchObject({ subscribed: true, topics: { news: "out", tips: null } });
  await posthorn.settle();
  const noted = (await ledger(posthorn.store, ADA)).map(({ what, topic, door }) => [what, topic, door]);
  expect(noted).toContainEqual(["topic-left", "news", "one-click"]);
  expect(await page(manageUrl, "subscribed=false")).not.toContain(`name="topic"`);
  expect((await contact(posthorn)).subscribed).toBe(false);
});

test("without a topic, or of one that was deleted, one click is the main switch as before", async () => {
  await using posthorn = await house();
  const { unsubscribeUrl } = await mailed(posthorn);
  await page(unsubscribeUrl, "List-Unsubscribe=One-Click");
  expect(await contact(posthorn)).toMatchObject({ subscribed: false, topics: { news: null } });
  const ofTrade = await mailed(posthorn, "trade");
  const [{ id }] = (await ask(posthorn, "GET /templates?search=M")).body.data;
  await ask(posthorn, `PATCH /templates/${id}`, { body: { topic: null } });
  expect((await ask(posthorn, "DELETE /topics/trade")).status).toBe(204);
  await page(ofTrade.unsubscribeUrl, "List-Unsubscribe=One-Click");
  expect((await contact(posthorn)).subscribed).toBe(false);
});

test("the page saves the boxes that it showed, in the reader's language, and leaves the rest unsaid", async () => {
  await using posthorn = await house();
  const { manageUrl } = await mailed(posthorn);
  const shown = await page(manageUrl, undefined, "de");
  expect([shown.includes("Was Sie erhalten möchten"), shown.includes("<bdi>Neuigkeiten</bdi>")]).toEqual([true, true]);
  expect(shown).not.toContain("For dealers");
  await page(manageUrl, "listed=news&listed=tips&topic=news&topic=tips&topic=trade");
  expect((await contact(posthorn)).topics).toEqual({ news: null, tips: "in", trade: null });
  await page(manageUrl, "listed=news&listed=tips&listed=gone&topic=tips");
  expect((await contact(posthorn)).topics).toEqual({ news: "out", tips: "in", trade: null });
  await page(manageUrl, "topic=news");
  expect((await contact(posthorn)).topics).toMatchObject({ news: "out" });
  await page(manageUrl, "subscribed=false");
  await page(manageUrl, "listed=news&topic=news");
  expect(await contact(posthorn)).toMatchObject({ subscribed: false, topics: { news: "out" } });
  expect(
    (await fetch(`${posthorn.server.url}/manage/none`, { method: "POST", headers: FORM, body: "listed=news" })).status,
  ).toBe(200);
});

test("a campaign counts who left its topic and who left all by its emails, also once these are pruned (slow)", async () => {
  await using posthorn = await house(await keeping({ mailDays: 31 }));
  for (const reader of [1, 2, 3, 4])
    await made(posthorn, "POST /contacts", { email: `reader${reader}@example.com`, topics: { tips: "in" } });
  const mail = { from: "news@example.test", subject: "Hi", body: "<p>Hi</p>", name: "C", audienceType: "ALL" };
  const { id } = await made(posthorn, "POST /campaigns", { ...mail, topic: "news" });
  await made(posthorn, `POST /campaigns/${id}/send`, {});
  const links = (await mailsSent(posthorn)).map(({ html }) => (page: string) => {
    const path = new RegExp(`/${page}/[\\w-]+`).exec(String(html))?.[0] ?? "";
    return `${posthorn.server.url}${path}`;
  });
  const [one, two, three] = links as [(page: string) => string, (page: string) => string, (page: string) => string];
  for (const _ of [1, 2]) await page(one("unsubscribe"), "List-Unsubscribe=One-Click");
  await page(two("unsubscribe").replace("/unsubscribe/", "/manage/"), "listed=news&listed=tips&topic=tips");
  await page(two("unsubscribe").replace("/unsubscribe/", "/manage/"), "subscribed=false");
  // Another topic than that of the email.
  await page(three("unsubscribe").replace("/unsubscribe/", "/manage/"), "listed=news&listed=tips&topic=news");
  const counted = { leftTopicCount: 2, leftTopicRate: 50, unsubscribedCount: 1 };
  expect(await statistics(posthorn, id)).toMatchObject(counted);
  const listed = async (action: string) => {
    const { data } = (await ask(posthorn, `GET /campaigns/${id}/recipients?action=${action}`)).body;
    return data.map(({ email, leftTopicAt }: Json) => [email, leftTopicAt !== null]);
  };
  const people = [
    ["reader1@example.com", true],
    ["reader2@example.com", true],
  ];
  expect(await listed("left-topic")).toEqual(people);
  expect(await listed("unsubscribed")).toEqual([["reader2@example.com", true]]);
  const course = async () => {
    const { points } = (await ask(posthorn, `GET /campaigns/${id}/series`)).body.data;
    const sum = (name: string) => points.reduce((total: number, point: Json) => total + point[name], 0);
    return [sum("leftTopic"), sum("unsubscribed")];
  };
  expect(await course()).toEqual([2, 1]);
  const sums = async () => (await ask(posthorn, "GET /statistics/mails")).body.series[0].totals;
  await posthorn.settle();
  expect(await sums()).toMatchObject({ leftTopic: 2, unsubscribed: 1 });
  const { data: left } = (await ask(posthorn, "GET /emails?happened=leftTopic")).body;
  expect(left.map(({ to }: Json) => to).toSorted()).toEqual(people.map(([email]) => email as string));
  const reader2 = left.find(({ to }: Json) => to === "reader2@example.com");
  const { timeline } = (await ask(posthorn, `GET /emails/${reader2.id}`)).body;
  expect(timeline.slice(-2)).toMatchObject([
    { what: "unsubscribed", detail: null },
    { what: "leftTopic", detail: { topic: "news" } },
  ]);
  await later(posthorn, 32);
  expect(await statistics(posthorn, id)).toMatchObject(counted);
  expect(await course()).toEqual([2, 1]);
  expect(await listed("left-topic")).toEqual(people);
});

test("two pages that are saved at the same time both count", async () => {
  await using posthorn = await house();
  const { manageUrl } = await mailed(posthorn);
  await Promise.all([page(manageUrl, "listed=news"), page(manageUrl, "listed=tips&topic=tips")]);
  expect((await contact(posthorn)).topics).toEqual({ news: "out", tips: "in", trade: null });
});
