// What becomes of the topics that a form lists: whoever leaves one unticked gets none of it, by every door.
import { describe, expect, test } from "bun:test";
import { ledger } from "../support/ledger.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { contactAt, linkTo, makeForm, sendByScript, visit } from "./sending.ts";
import { workspace } from "../support/workspace.ts";

const NORA = "nora@example.com";
const SITE = "https://www.example.com";

/** With the topics `news` and `workshop`, which the form shows, and `offers` and `partners`, which it does not. */
async function teaShop(changes: object = {}): Promise<Posthorn & { readonly form: Json }> {
  const posthorn = await workspace();
  for (const key of ["news", "workshop", "offers"])
    await ask(posthorn, "POST /topics", { body: { key, name: { en: key } } });
  await ask(posthorn, "POST /topics", { body: { key: "partners", name: { en: "partners" }, default: "out" } });
  const form = await makeForm(posthorn, { topics: ["news", "workshop"], ...changes });
  return Object.assign(posthorn, { form });
}

type Entries = readonly (readonly [string, string])[];

/** What a browser sends that shows this HTML, with what somebody enters and ticks. */
function filledIn(html: string, entries: Entries): URLSearchParams {
  const filled = new URLSearchParams();
  for (const [, name = "", value = ""] of html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g))
    filled.append(name, value);
  for (const [name, value] of entries) filled.append(name, value);
  return filled;
}

async function press(posthorn: Posthorn, email: string) {
  await visit(posthorn, `POST ${await linkTo(posthorn, email)}`);
}

async function choicesOf(posthorn: Posthorn, email: string): Promise<Json> {
  return (await contactAt(posthorn, email)).topics;
}

/** What the ledger says of somebody, by the form alone. */
async function toldOf(posthorn: Posthorn, email: string, language = "en"): Promise<string[]> {
  const { id } = await contactAt(posthorn, email);
  const { data } = (await ask(posthorn, `GET /contacts/${id}/consent?language=${language}`)).body;
  return data
    .filter(({ topic }: Json) => topic !== null)
    .map(({ text }: Json) => text.replace(/, from .*|, von .*/, ""));
}

const ONLY_NEWS = { news: "in", workshop: "out", offers: "out", partners: "out" };
const UNTOLD = { news: null, workshop: null, offers: null, partners: null };

describe("who is new and ticks one topic is out of all others once they confirm,", () => {
  const doors: Readonly<Record<string, (posthorn: Posthorn & { form: Json }) => Promise<unknown>>> = {
    "on the hosted page": async (posthorn) => {
      const { text } = await visit(posthorn, "GET /f/news");
      posthorn.clock.advance(3_000);
      return visit(posthorn, "POST /f/news", {
        body: filledIn(text, [
          ["email", NORA],
          ["_topics", "news"],
        ]),
      });
    },
    "on a page of somebody else": async (posthorn) => {
      const { text } = await visitHtml(posthorn);
      const body = filledIn(text, [
        ["email", NORA],
        ["_topics", "news"],
      ]);
      return visit(posthorn, "POST /f/news", { body, headers: { origin: SITE } });
    },
    "by the script": (posthorn) => sendByScript(posthorn, { email: NORA, _topics: "news" }, { origin: SITE }),
    "by JSON": (posthorn) => sendJson(posthorn, { email: NORA, _topics: ["news"] }),
  };
  for (const [door, send] of Object.entries(doors))
    test(door, async () => {
      await using posthorn = await teaShop({ sites: [SITE] });
      await send(posthorn);
      await posthorn.settle();
      expect(await choicesOf(posthorn, NORA)).toEqual(UNTOLD);
      await press(posthorn, NORA);
      expect(await choicesOf(posthorn, NORA)).toEqual(ONLY_NEWS);
    });
});

function sendJson(posthorn: Posthorn, entries: object) {
  const headers = { "content-type": "application/json" };
  return visit(posthorn, "POST /f/news", { headers, body: JSON.stringify(entries) });
}

async function visitHtml(posthorn: Posthorn & { readonly form: Json }) {
  const { body } = await ask(posthorn, `GET /forms/${posthorn.form.id}/html`);
  return { text: String(body) };
}

test("who is new and need not confirm is out of what they leave unticked at once", async () => {
  await using posthorn = await teaShop({ doubleOptIn: false });
  await sendByScript(posthorn, { email: NORA, _topics: "news" });
  await posthorn.settle();
  expect(await contactAt(posthorn, NORA)).toMatchObject({ subscribed: true, topics: ONLY_NEWS });
});

test("who ticks nothing is subscribed, and gets no topic", async () => {
  await using posthorn = await teaShop();
  await sendJson(posthorn, { email: NORA });
  await press(posthorn, NORA);
  const topics = { news: "out", workshop: "out", offers: "out", partners: "out" };
  expect(await contactAt(posthorn, NORA)).toMatchObject({ subscribed: true, topics });
});

test("a form that lists no topics leaves them to their defaults", async () => {
  await using posthorn = await teaShop({ topics: [] });
  await sendJson(posthorn, { email: NORA });
  await press(posthorn, NORA);
  expect(await choicesOf(posthorn, NORA)).toEqual(UNTOLD);
});

test("nobody is mailed a topic that they left unticked or were not shown", async () => {
  await using posthorn = await teaShop();
  await sendJson(posthorn, { email: NORA, _topics: ["news"] });
  await press(posthorn, NORA);
  const reached = async (topic: string) =>
    (await ask(posthorn, "POST /campaigns/audience-preview", { body: { audienceType: "ALL", topic } })).body.data
      .willReceive;
  expect([await reached("news"), await reached("workshop"), await reached("offers")]).toEqual([1, 0, 0]);
});

describe("where the page says in words what people get besides,", () => {
  const besides = { en: "You also get our offers.", de: "Sie bekommen auch unsere Angebote." };
  const AND_OFFERS = { news: "in", workshop: "out", offers: null, partners: null };

  test("topics that it does not show count by their defaults, and the ledger has these words", async () => {
    await using posthorn = await teaShop({ besides, consent: { wording: { en: "News, please.", de: "Ja, gern." } } });
    const { text } = await visit(posthorn, "GET /f/news?language=de");
    expect(text).toMatch(/<\/fieldset>.*\n<p>Sie bekommen auch unsere Angebote\.<\/p>/);
    const entries = [
      ["email", NORA],
      ["_topics", "news"],
      ["_consent", "true"],
    ] as const;
    posthorn.clock.advance(3_000);
    await visit(posthorn, "POST /f/news", { body: filledIn(text, entries) });
    await press(posthorn, NORA);
    expect(await choicesOf(posthorn, NORA)).toEqual(AND_OFFERS);
    const texts = await posthorn.store.read((reader) => reader.all`select text from consent_wordings`);
    expect(texts).toEqual([{ text: "Sie bekommen auch unsere Angebote.\nJa, gern." }]);
  });

  test("they are a new version of the wording, and need no other words beside them", async () => {
    await using posthorn = await teaShop({ besides });
    const { id } = posthorn.form;
    await sendJson(posthorn, { email: NORA, _topics: ["news"], _besides: true });
    await ask(posthorn, `PATCH /forms/${id}`, { body: { besides: { en: "Offers, too." } } });
    await press(posthorn, NORA);
    const { wordings } = (await ask(posthorn, `GET /forms/${id}/wordings`)).body;
    expect(wordings.map(({ version, wording, besides: words }: Json) => [version, wording, words])).toEqual([
      [2, {}, { en: "Offers, too." }],
      [1, {}, besides],
    ]);
    const agreed = (await ledger(posthorn.store, NORA)).find(({ what }) => what === "agreed");
    expect(agreed?.wording).toMatchObject({ version: 1, language: "en" });
    expect(await choicesOf(posthorn, NORA)).toEqual(AND_OFFERS);
  });

  test("a page that was copied before they were said, or a program that does not show them, counts for nothing", async () => {
    await using posthorn = await teaShop({ sites: [SITE] });
    const { text } = await visitHtml(posthorn);
    await ask(posthorn, `PATCH /forms/${posthorn.form.id}`, { body: { besides } });
    const body = filledIn(text, [
      ["email", NORA],
      ["_topics", "news"],
    ]);
    await visit(posthorn, "POST /f/news", { body, headers: { origin: SITE } });
    await press(posthorn, NORA);
    expect(await choicesOf(posthorn, NORA)).toEqual(ONLY_NEWS);
    await sendJson(posthorn, { email: "json@example.com", _topics: ["news"] });
    await press(posthorn, "json@example.com");
    expect(await choicesOf(posthorn, "json@example.com")).toEqual(ONLY_NEWS);
  });

  test("a topic that a copied page shows still, and that is left unticked there, is out", async () => {
    await using posthorn = await teaShop({ sites: [SITE], besides });
    const { text } = await visitHtml(posthorn);
    await ask(posthorn, `PATCH /forms/${posthorn.form.id}`, { body: { topics: ["news"] } });
    const body = filledIn(text, [
      ["email", NORA],
      ["_topics", "news"],
    ]);
    await visit(posthorn, "POST /f/news", { body, headers: { origin: SITE } });
    await press(posthorn, NORA);
    expect(await choicesOf(posthorn, NORA)).toEqual(AND_OFFERS);
  });
});

describe("who exists keeps what they have said,", () => {
  test("and all of it, but for what they tick, if they are subscribed", async () => {
    await using posthorn = await teaShop();
    await ask(posthorn, "POST /contacts", { body: { email: NORA, topics: { offers: "in", news: "out" } } });
    await sendJson(posthorn, { email: NORA, _topics: ["news"] });
    await press(posthorn, NORA);
    expect(await choicesOf(posthorn, NORA)).toEqual({ ...UNTOLD, news: "in", offers: "in" });
  });

  test("and is out of the rest if it is the form that subscribes them", async () => {
    await using posthorn = await teaShop();
    const before = { email: NORA, subscribed: false, topics: { offers: "in" } };
    await ask(posthorn, "POST /contacts", { body: before });
    await sendJson(posthorn, { email: NORA, _topics: ["news"] });
    await press(posthorn, NORA);
    const topics = { news: "in", workshop: "out", offers: "in", partners: "out" };
    expect(await contactAt(posthorn, NORA)).toMatchObject({ subscribed: true, topics });
  });

  test("and another form that they send later adds to it", async () => {
    await using posthorn = await teaShop();
    await makeForm(posthorn, { key: "second", topics: ["workshop", "offers"] });
    await sendJson(posthorn, { email: NORA, _topics: ["news"] });
    await press(posthorn, NORA);
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ email: NORA, _topics: ["offers"] });
    await visit(posthorn, "POST /f/second", { headers, body });
    await press(posthorn, NORA);
    expect(await choicesOf(posthorn, NORA)).toEqual({ ...ONLY_NEWS, offers: "in" });
  });
});

test("the ledger says of each topic whether it was left unticked or not offered, and nobody has left any", async () => {
  await using posthorn = await teaShop({ event: "joined" });
  await sendJson(posthorn, { email: NORA, _topics: ["news"] });
  await press(posthorn, NORA);
  await posthorn.settle();
  expect((await toldOf(posthorn, NORA)).sort()).toEqual([
    "Joined the topic “news” by the form “News”",
    "Not in the topic “offers”: not offered in the form “News”",
    "Not in the topic “partners”: not offered in the form “News”",
    "Not in the topic “workshop”: left unticked in the form “News”",
  ]);
  expect(await toldOf(posthorn, NORA, "de")).toContain(
    "Thema „workshop“ nicht abonniert: nicht angekreuzt im Formular „News“",
  );
  const topical = (await posthorn.eventNames()).filter((name) => /^topic\.|^joined/.test(name));
  expect(topical.sort()).toEqual(["joined", "topic.joined"]);
});

test("it confirms what was ticked when it was sent, whatever the form offers by now", async () => {
  await using posthorn = await teaShop();
  await sendJson(posthorn, { email: NORA, _topics: ["workshop"] });
  const link = await linkTo(posthorn, NORA);
  await ask(posthorn, `PATCH /forms/${posthorn.form.id}`, { body: { topics: [] } });
  await ask(posthorn, "POST /topics", { body: { key: "later", name: { en: "later" } } });
  await visit(posthorn, `POST ${link}`);
  const topics = { news: "out", workshop: "in", offers: "out", partners: "out", later: "out" };
  expect(await choicesOf(posthorn, NORA)).toEqual(topics);
});

test("a form that is deleted takes the links with it that it has sent", async () => {
  await using posthorn = await teaShop();
  await sendByScript(posthorn, { email: NORA });
  const link = await linkTo(posthorn, NORA);
  expect(await contactAt(posthorn, NORA)).toMatchObject({ status: "PENDING" });
  await ask(posthorn, `DELETE /forms/${posthorn.form.id}`);
  await visit(posthorn, `POST ${link}`);
  const { data } = (await ask(posthorn, "GET /contacts?limit=10")).body;
  expect(data.filter(({ subscribed }: Json) => subscribed)).toEqual([]);
  expect((await visit(posthorn, `GET ${link}`)).status).toBe(404);
});
