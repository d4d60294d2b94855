// The public doors of forms: what people see, what they are answered, and what becomes of what they enter.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { unsubscribe } from "../../src/audience/contacts/contact.ts";
import { contactByEmail } from "../../src/audience/contacts/queries.ts";
import { PROOF_BITS } from "../../src/programs/forms/robots.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { freshDirectory } from "../support/database.ts";
import { inShort, ledger } from "../support/ledger.ts";
import { ask, countOf } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { contactAt, linkTo, makeForm, proofFor, send, sendByScript, statementsOf, tokenOf, visit } from "./sending.ts";
import { workspace } from "../support/workspace.ts";

const SITE = "https://www.example.com";
const ADA = "ada@example.com";
const DAY_MS = 86_400_000;
const fields = [
  { name: "firstName", type: "text", required: true, maxLength: 10 },
  { name: "size", type: "choice", options: [{ value: "S" }, { value: "L" }] },
  { name: "age", type: "number", min: 18 },
  { name: "birthday", type: "date" },
  { name: "vip", type: "checkbox" },
  { name: "source", type: "hidden", value: "web" },
];
const entered = {
  email: " Ada@Example.com ",
  firstName: "Ada",
  size: "L",
  age: "36,5",
  birthday: "1815-12-10",
  vip: "on",
};
const data = { firstName: "Ada", size: "L", age: 36.5, birthday: "1815-12-10", vip: true, source: "web" };

function sendJson(posthorn: Posthorn, entries: object) {
  const headers = { "content-type": "application/json" };
  return visit(posthorn, "POST /f/news", { headers, body: JSON.stringify(entries) });
}

async function press(posthorn: Posthorn, link: string) {
  return visit(posthorn, `POST ${link}`);
}

describe("the hosted page", () => {
  const shared = sharedPosthorn();

  test("works without a script, in the reader's language, and is framed by allowed sites alone", async () => {
    const title = { en: "News", de: "Neues" };
    await makeForm(shared(), { title, fields, sites: [SITE], redirectUrl: "https://thanks.example.org/x" });
    const headers = { "accept-language": "de-AT" };
    const { status, text, headers: answered } = await visit(shared(), "GET /f/news?source=poster", { headers });
    expect([status, answered.get("content-language"), answered.get("cache-control")]).toEqual([200, "de", "no-store"]);
    expect(text).toContain('<html lang="de" dir="ltr">');
    expect(text).toContain("<h1>Neues</h1>");
    expect(text).toContain('name="source" value="poster"');
    expect(text).not.toContain("<script");
    expect(answered.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self' https://thanks.example.org; frame-ancestors ${SITE}`,
    );
    expect(answered.get("set-cookie")).toBeNull();
    expect((await visit(shared(), "GET /f/news?language=ar")).text).toContain('<html lang="ar" dir="rtl">');
  });

  test("says that a form is closed that is off, unknown, or of a workspace that is off", async () => {
    const { id } = await makeForm(shared(), { key: "off", enabled: false });
    for (const key of ["off", "nobody-made-it", "x", "%F0%9F%98%80"]) {
      const { status, text } = await visit(shared(), `GET /f/${key}`);
      expect([status, text.includes("This form is closed")]).toEqual([404, true]);
      expect((await send(shared(), { email: ADA }, {}, key)).status).toBe(404);
    }
    await ask(shared(), `DELETE /forms/${id}`);
  });

  test("shows what is wrong beside each field, keeps what was entered, and keeps nothing else", async () => {
    await makeForm(shared(), { key: "faulty", fields, consent: { wording: { en: "Yes." } } });
    const wrong = { email: "ada@", firstName: '"><script>', size: "XL", age: "17", birthday: "1815-02-30" };
    const { status, text } = await send(shared(), wrong, {}, "faulty");
    expect(status).toBe(422);
    for (const name of ["email", "size", "age", "birthday", "_consent"]) expect(text).toContain(`href="#f-${name}"`);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(text).not.toContain("<script");
    const json = await send(
      shared(),
      { ...wrong, firstName: "x".repeat(11) },
      { accept: "application/json" },
      "faulty",
    );
    expect(json.status).toBe(422);
    expect(JSON.parse(json.text).error.errors.map(({ field, code }: Json) => [field, code])).toEqual([
      ["email", "invalid"],
      ["firstName", "invalid"],
      ["size", "invalid"],
      ["age", "invalid"],
      ["birthday", "invalid"],
      ["_consent", "required"],
    ]);
    expect(await countOf(shared(), "form_answers")).toBe(0);
  });
});

test("a person is asked, and what they entered counts once they confirm: data, tags, segment and event (slow)", async () => {
  await using posthorn = await workspace();
  const { body: readers } = await ask(posthorn, "POST /segments", { body: { name: "Readers", type: "STATIC" } });
  const confirmedUrl = "https://www.example.com/welcome";
  const does = { fields, tags: ["fair 2026"], event: "news.joined", segmentId: readers.id, confirmedUrl };
  const { id } = await makeForm(posthorn, { ...does, sites: [SITE] });
  const sent = await send(posthorn, { ...entered, _language: "de" }, { origin: SITE });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/f/news/thanks?language=de"]);
  expect(sent.headers.get("access-control-allow-origin")).toBe(SITE);
  expect((await visit(posthorn, "GET /f/news/thanks?language=de")).text).toContain("Vielen Dank");
  const link = await linkTo(posthorn, ADA);
  expect(posthorn.transport.sent.at(-1)?.raw.toString()).toContain("Bitte_best=C3=A4tigen");
  expect(await contactAt(posthorn, ADA)).toMatchObject({ status: "PENDING", subscribed: false, data: {} });
  const page = await visit(posthorn, `GET ${link}`);
  expect(page.text).toContain("Please confirm");
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://www.example.com;");
  const done = await press(posthorn, link);
  expect([done.status, done.headers.get("location")]).toEqual([303, confirmedUrl]);
  await posthorn.settle();
  const ada = await contactAt(posthorn, ADA);
  expect(ada).toMatchObject({ status: "ACTIVE", subscribed: true });
  expect(ada.data).toEqual({ ...data, language: "de", tags: ["fair 2026"] });
  expect((await ask(posthorn, `GET /segments/${readers.id}/contacts`)).body.data).toMatchObject([{ email: ADA }]);
  const joined = (await posthorn.events()).filter(({ name }) => name === "news.joined");
  expect(joined).toEqual([{ name: "news.joined", contact: ADA, data: { ...data, form: "news", site: SITE } }]);
  // The second press finds nothing to do.
  await press(posthorn, link);
  expect((await posthorn.eventNames()).filter((name) => name === "news.joined")).toHaveLength(1);
  const { sites, ...counts } = (await ask(posthorn, `GET /forms/${id}/statistics`)).body;
  expect(counts).toMatchObject({ seen: 0, sent: 1, confirmed: 1 });
  expect(sites).toEqual([{ site: SITE, seen: 0, sent: 1, confirmed: 1 }]);
});

test("the answer and its statements are the same for every address, and nothing changes before a confirmation (slow)", async () => {
  await using posthorn = await workspace();
  await makeForm(posthorn, { fields });
  const made = (body: object) => ask(posthorn, "POST /contacts", { body });
  const people = ["known", "left", "pending", "bounced"].map((name) => `${name}@example.com`);
  const [known = "", left = "", pending = "", bounced = ""] = people;
  const own = { data: { firstName: "Own", language: "en" } };
  await made({ email: known, ...own });
  await made({ email: left, subscribed: false, ...own });
  await made({ email: pending, doubleOptIn: true, ...own });
  await made({ email: bounced, ...own });
  await posthorn.store.write(async (tx) => {
    const contact = await contactByEmail(tx, 1, bounced);
    if (contact) await unsubscribe(tx, 1, contact, { reason: "bounce" });
  });
  await posthorn.settle();
  posthorn.clock.advance(3_600_000);
  const before = await Promise.all(people.map((address) => contactAt(posthorn, address)));
  const count = statementsOf(posthorn);
  const answers: unknown[] = [];
  for (const email of ["new@example.com", ...people]) {
    const { status, headers, text } = await send(posthorn, { ...entered, email });
    const kept = [...headers].filter(([name]) => !["x-request-id", "date"].includes(name));
    answers.push([status, kept, text, count()]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set([JSON.stringify(answers[0])]));
  posthorn.transport.sent.splice(0);
  await posthorn.settle();
  expect(posthorn.transport.recipients.toSorted()).toEqual(
    ["known", "left", "new", "pending"].map((name) => `${name}@example.com`),
  );
  for (const [index, address] of people.entries()) {
    const { expiresAt: _, updatedAt: __, ...after } = await contactAt(posthorn, address);
    expect(before[index]).toMatchObject(after);
  }
  // Each changes by the link in the mail to them.
  for (const address of [known, left, pending]) {
    expect((await visit(posthorn, `GET ${await linkTo(posthorn, address)}`)).text).toContain("Please confirm");
    await press(posthorn, await linkTo(posthorn, address));
    expect(await contactAt(posthorn, address)).toMatchObject({ subscribed: true, data: { firstName: "Ada" } });
  }
});

test("who ticks a topic has said so once they confirm, of those that the form offers and that there still are (slow)", async () => {
  await using posthorn = await workspace();
  const made = async (key: string) =>
    (await ask(posthorn, "POST /topics", { body: { key, name: { en: `About ${key}`, de: `Über ${key}` } } })).body;
  await made("news");
  const gone = await made("gone");
  await made("hidden");
  const unknown = await ask(posthorn, "POST /forms", { body: { name: "News", topics: ["news", "nobodys"] } });
  expect([unknown.status, unknown.body.error.errors[0].field]).toEqual([422, "topics.1"]);
  const { id, topics } = await makeForm(posthorn, { topics: ["news", "gone", "news"], event: "joined" });
  expect(topics).toEqual(["news", "gone"]);
  const { text } = await visit(posthorn, "GET /f/news?language=de");
  expect([text.includes("Über news"), text.includes("Über hidden"), text.includes("checked")]).toEqual([
    true,
    false,
    false,
  ]);
  expect((await sendJson(posthorn, { email: ADA, _topics: [{}] })).status).toBe(422);
  // Another page shows the form as it was when it still offered that one.
  expect((await sendJson(posthorn, { email: "old@example.com", _topics: ["hidden"] })).status).toBe(200);
  await press(posthorn, await linkTo(posthorn, "old@example.com"));
  expect((await contactAt(posthorn, "old@example.com")).topics).toEqual({ news: "out", gone: "out", hidden: "out" });
  expect((await sendJson(posthorn, { email: ADA, _topics: ["news", "gone"] })).status).toBe(200);
  const link = await linkTo(posthorn, ADA);
  expect((await contactAt(posthorn, ADA)).topics).toEqual({ news: null, gone: null, hidden: null });
  const refused = await ask(posthorn, `DELETE /topics/${gone.id}`);
  expect([refused.status, refused.body.error.values]).toEqual([409, { key: "gone", users: "News" }]);
  // What a form says elsewhere is no use of the topic.
  await ask(posthorn, `PATCH /forms/${id}`, { body: { topics: ["news"], tags: ["gone"] } });
  expect((await ask(posthorn, `DELETE /topics/${gone.id}`)).status).toBe(204);
  await press(posthorn, link);
  await posthorn.settle();
  expect((await contactAt(posthorn, ADA)).topics).toEqual({ news: "in", hidden: "out" });
  const joined = (await posthorn.events()).filter(({ name }) => ["joined", "topic.joined"].includes(name));
  expect(joined.map(({ name, data }) => [name, data["topics"] ?? data["topic"]])).toEqual([
    ["joined", undefined],
    ["topic.joined", "news"],
    ["joined", ["news"]],
  ]);
  const rows = (await ledger(posthorn.store, ADA)).map(inShort);
  expect(rows).toContain("topic-joined by form");
});

test("the ledger has the form, the words that were shown, and who sent it", async () => {
  await using posthorn = await workspace();
  const { id } = await makeForm(posthorn, { consent: { wording: { en: "News, please.", de: "Neues, bitte." } } });
  const headers = { "user-agent": "A browser" };
  await send(posthorn, { email: ADA, _consent: "true", _language: "de" }, headers);
  await ask(posthorn, `PATCH /forms/${id}`, { body: { consent: { wording: { en: "Other words." } } } });
  await press(posthorn, await linkTo(posthorn, ADA));
  await posthorn.settle();
  const rows = await ledger(posthorn.store, ADA);
  expect(rows.map(inShort)).toEqual(["asked by form", "confirmed by page", "subscribed by page", "agreed by form"]);
  const [asked, , , agreed] = rows;
  expect(asked).toMatchObject({ form: { id, name: "News" }, userAgent: "A browser", ip: "127.0.0.1" });
  expect(agreed).toMatchObject({ form: { id }, wording: { version: 1, language: "de" } });
  expect(agreed?.by).toBeUndefined();
  // The timeline says where the contact comes from.
  const { id: contact } = await contactAt(posthorn, ADA);
  const { added } = (await ask(posthorn, `GET /contacts/${contact}/summary`)).body;
  expect(added.via).toMatchObject({ type: "form", name: "News" });
});

test("a link confirms what its mail asked about, for seven days, and only at the address that it went to (slow)", async () => {
  await using posthorn = await workspace();
  await makeForm(posthorn, { fields });
  await ask(posthorn, "POST /contacts", { body: { email: ADA, data: { firstName: "Augusta" } } });
  await send(posthorn, entered);
  const first = await linkTo(posthorn, ADA);
  // Within a quarter of an hour nobody is asked again by the same form.
  await send(posthorn, { ...entered, firstName: "Mallory" });
  expect(await linkTo(posthorn, ADA)).toBe(first);
  posthorn.clock.advance(900_000);
  await send(posthorn, { ...entered, firstName: "Mallory" });
  const second = await linkTo(posthorn, ADA);
  expect(second).not.toBe(first);
  await press(posthorn, first);
  expect((await contactAt(posthorn, ADA)).data.firstName).toBe("Ada");
  posthorn.clock.advance(7 * DAY_MS);
  await press(posthorn, second);
  expect((await contactAt(posthorn, ADA)).data.firstName).toBe("Ada");
  await posthorn.settle();
  expect(await countOf(posthorn, "form_answers")).toBe(0);
});

test("an address that sends a form twice gets one mail, also if another process takes the second one (slow)", async () => {
  const folder = freshDirectory();
  using _ = { [Symbol.dispose]: folder.remove };
  {
    await using posthorn = await startPosthorn({ dataDir: folder.path });
    await makeForm(posthorn, { fields });
    await ask(posthorn, "POST /contacts", { body: { email: "known@example.com" } });
    for (const email of [ADA, "known@example.com"]) await send(posthorn, { ...entered, email });
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(2);
  }
  await using posthorn = await startPosthorn({ dataDir: folder.path });
  posthorn.clock.advance(600_000);
  const answers = [];
  for (const email of [ADA, "known@example.com", "new@example.com"]) {
    const { status, text } = await send(posthorn, { ...entered, email });
    answers.push(`${status} ${text}`);
  }
  expect(new Set(answers).size).toBe(1);
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["new@example.com"]);
  // What was not sent counts for nothing: two more of the day's three mails may go.
  for (const more of [400_000, 900_000]) {
    posthorn.clock.advance(more);
    await send(posthorn, entered);
    await posthorn.settle();
  }
  expect(posthorn.transport.recipients.filter((address) => address === ADA)).toHaveLength(2);
});

test("where a form asks nobody, who is new and came by the script is subscribed at once; all others are asked (slow)", async () => {
  await using posthorn = await workspace();
  await makeForm(posthorn, { doubleOptIn: false, fields, sites: [SITE] });
  const byScript = await sendByScript(posthorn, entered, { origin: SITE });
  expect(JSON.parse(byScript.text)).toEqual({
    success: true,
    data: { message: "If we need your confirmation, we are sending you an email.", redirectUrl: null },
  });
  expect(byScript.headers.get("access-control-allow-origin")).toBe(SITE);
  await posthorn.settle();
  expect(await contactAt(posthorn, ADA)).toMatchObject({ status: "ACTIVE", subscribed: true, data });
  expect(posthorn.transport.sent).toHaveLength(0);
  // A second time it is somebody who exists, and nothing of them changes.
  await sendByScript(posthorn, { ...entered, firstName: "Mallory" }, { origin: SITE });
  expect(await linkTo(posthorn, ADA)).not.toBe("");
  expect((await contactAt(posthorn, ADA)).data.firstName).toBe("Ada");
  // Without a script, and where the workspace asks everybody.
  await send(posthorn, { ...entered, email: "eve@example.com" });
  expect(await linkTo(posthorn, "eve@example.com")).not.toBe("");
  await ask(posthorn, "PATCH /workspace", { body: { doubleOptIn: true } });
  await sendByScript(posthorn, { ...entered, email: "cyd@example.com" });
  expect(await linkTo(posthorn, "cyd@example.com")).not.toBe("");
});

describe("a robot is answered as a person, and nothing is kept:", () => {
  const shared = sharedPosthorn();
  const robots: readonly [what: string, entries: (posthorn: Posthorn) => Promise<Readonly<Record<string, string>>>][] =
    [
      ["who fills in what nobody sees", async () => ({ _website: "https://spam.example" })],
      ["who is quicker than anybody", async (posthorn) => ({ _token: await tokenOf(posthorn) })],
    ];
  test.each(robots)("%s", async (_, entries) => {
    const { body } = await ask(shared(), "GET /forms");
    if (body.total === 0) await makeForm(shared());
    const person = await send(shared(), { email: ADA });
    await shared().settle();
    const kept = await countOf(shared(), "form_answers");
    const robot = await send(shared(), { email: "robot@example.com", ...(await entries(shared())) });
    const seen = ({ status, text, headers }: typeof robot) => [status, text, headers.get("location")];
    expect(seen(robot)).toEqual(seen(person));
    await shared().settle();
    expect(await countOf(shared(), "form_answers")).toBe(kept);
    expect(await contactAt(shared(), "robot@example.com")).toBeNull();
  });
});

test("a proof is for one address and one form, and a token for half a day (slow)", async () => {
  await using posthorn = await workspace();
  await makeForm(posthorn, { doubleOptIn: false });
  await makeForm(posthorn, { doubleOptIn: false, key: "other" });
  const token = await tokenOf(posthorn);
  posthorn.clock.advance(3_000);
  const proven = { _token: token, _proof: await proofFor(token, ADA) };
  await send(posthorn, { email: "eve@example.com", ...proven });
  await send(posthorn, { email: ADA, ...proven }, {}, "other");
  await posthorn.settle();
  for (const address of [ADA, "eve@example.com"])
    expect(await contactAt(posthorn, address)).toMatchObject({ status: "PENDING" });
  const late = await tokenOf(posthorn);
  posthorn.clock.advance(DAY_MS / 2 + 1);
  await send(posthorn, { email: "cyd@example.com", _token: late, _proof: await proofFor(late, "cyd@example.com") });
  await posthorn.settle();
  expect(await contactAt(posthorn, "cyd@example.com")).toMatchObject({ status: "PENDING" });
});

test("one client, and one form, take so many a minute (slow)", async () => {
  const http = { trustedProxies: ["127.0.0.1"] };
  await using posthorn = await workspace({ config: { limits: { signUpsPerMinute: 2 }, http } });
  await makeForm(posthorn);
  const from = (address: string, accept = "text/html") =>
    send(posthorn, { email: `a${address}@example.com` }, { "x-forwarded-for": address, accept });
  expect([(await from("203.0.113.1")).status, (await from("203.0.113.1")).status]).toEqual([303, 303]);
  const refused = await from("203.0.113.1");
  expect([refused.status, refused.text.includes("Please try again in a minute")]).toEqual([429, true]);
  expect(JSON.parse((await from("203.0.113.1", "application/json")).text).error.code).toBe("RATE_LIMIT_EXCEEDED");
  const others = await Promise.all(Array.from({ length: 60 }, (_, index) => from(`198.51.${index}.1`)));
  expect(others.filter(({ status }) => status === 429).length).toBeGreaterThan(20);
  posthorn.clock.advance(60_001);
  expect((await from("203.0.113.1")).status).toBe(303);
});

test("a mailbox gets three mails a day, whatever the form says", async () => {
  await using posthorn = await workspace();
  for (const key of ["news", "one", "two", "three"]) await makeForm(posthorn, { key });
  for (const key of ["news", "one", "two", "three"]) {
    const sent = await send(posthorn, { email: `ada+${key}@example.com` }, {}, key);
    expect(sent.status).toBe(303);
  }
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(3);
});

describe("pages of other sites", () => {
  const shared = sharedPosthorn();

  test("may send a form that names their site, and read what it answers", async () => {
    await makeForm(shared(), { sites: [SITE] });
    const preflight = await visit(shared(), "OPTIONS /f/news", { headers: { origin: SITE } });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, SITE]);
    const headers = { origin: SITE, "content-type": "application/json" };
    const body = JSON.stringify({ email: "json@example.com" });
    const sent = await visit(shared(), "POST /f/news", { headers, body });
    expect([sent.status, sent.headers.get("access-control-allow-origin")]).toEqual([200, SITE]);
    expect(sent.headers.get("vary")).toContain("origin");
  });

  test("may not otherwise", async () => {
    for (const route of ["POST /f/news", "GET /f/news/token", "OPTIONS /f/news"]) {
      const { status, headers } = await visit(shared(), route, { headers: { origin: "https://evil.example" } });
      expect([route, status, headers.get("access-control-allow-origin")]).toEqual([route, 403, null]);
    }
    expect((await send(shared(), { email: ADA }, { origin: "null" })).status).toBe(403);
    const headers = { origin: "https://evil.example", "accept-language": "de", accept: "text/html,*/*;q=0.8" };
    const { status, text, headers: answered } = await send(shared(), { email: ADA }, headers);
    expect([status, answered.get("content-language")]).toEqual([403, "de"]);
    expect(text).toContain("<h1>Das Formular wurde nicht gesendet</h1>");
    expect(text).toContain('<a href="/f/news?language=de">Auf seiner eigenen Seite ausfüllen</a>');
    expect(text).not.toContain("<form");
  });
});

test("views are counted by site, without the requests of a browser that looks ahead", async () => {
  await using posthorn = await workspace();
  const { id } = await makeForm(posthorn, { sites: [SITE] });
  await visit(posthorn, "GET /f/news");
  await visit(posthorn, "GET /f/news", { headers: { "sec-purpose": "prefetch" } });
  await visit(posthorn, "GET /f/news", { headers: { referer: `${SITE}/page` } });
  await visit(posthorn, "GET /f/news", { headers: { referer: "https://elsewhere.example/" } });
  await tokenOf(posthorn, "news", { origin: SITE });
  await posthorn.settle();
  const { seen, sites } = (await ask(posthorn, `GET /forms/${id}/statistics`)).body;
  expect([seen, sites.map(({ site, seen: at }: Json) => [site, at])]).toEqual([
    4,
    [
      ["", 2],
      [SITE, 2],
    ],
  ]);
  expect((await ask(posthorn, "GET /forms")).body.data[0].counts.seen).toBe(4);
});

test("counts of 400 days ago, and what goes with an erased person, are gone", async () => {
  await using posthorn = await workspace();
  const { id } = await makeForm(posthorn, { fields });
  await ask(posthorn, "POST /contacts", { body: { email: ADA } });
  await send(posthorn, entered);
  await posthorn.settle();
  await send(posthorn, { ...entered, email: "unhandled@example.com" });
  expect(await countOf(posthorn, "form_answers")).toBe(2);
  const ada = await contactAt(posthorn, ADA);
  expect((await ask(posthorn, `DELETE /contacts/${ada.id}`)).status).toBe(204);
  expect(await countOf(posthorn, "form_answers")).toBe(1);
  posthorn.clock.advance(401 * DAY_MS);
  await posthorn.settle();
  expect(await countOf(posthorn, "form_counts")).toBe(1);
  expect((await ask(posthorn, `DELETE /forms/${id}`)).status).toBe(204);
  expect([await countOf(posthorn, "form_counts"), await countOf(posthorn, "form_answers")]).toEqual([0, 0]);
});

test("where no mail can be sent from, nobody is stored", async () => {
  await using posthorn = await workspace();
  await makeForm(posthorn);
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
  expect((await send(posthorn, { email: ADA })).status).toBe(303);
  await posthorn.settle();
  expect([await countOf(posthorn, "form_answers"), await contactAt(posthorn, ADA)]).toEqual([0, null]);
});

test("the script is at most 5 KB, and is served to any page", async () => {
  await using posthorn = await workspace();
  const script = readFileSync("src/programs/forms/form-script.txt", "utf8");
  expect(script.length).toBeLessThanOrEqual(5 * 1024);
  const { text, headers } = await visit(posthorn, "GET /f/form.js");
  expect([text, headers.get("content-type")]).toEqual([script, "text/javascript; charset=utf-8"]);
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
});

test("who is suppressed and has no contact is neither asked nor stored, by the address, its domain or a hash (slow)", async () => {
  await using posthorn = await workspace();
  const { id } = await makeForm(posthorn, { doubleOptIn: false, event: "joined" });
  for (const one of [{ address: "blocked@example.com" }, { domain: "blocked.example" }])
    await ask(posthorn, "POST /suppressions", { body: { ...one, reason: "manual" } });
  const gone = await ask(posthorn, "POST /contacts", { body: { email: "gone@example.com" } });
  await ask(posthorn, "POST /suppressions", { body: { address: "gone@example.com", reason: "manual" } });
  await ask(posthorn, `DELETE /contacts/${gone.body.id}`);
  const people = ["blocked@example.com", "ada@blocked.example", "gone@example.com"];
  for (const email of people) {
    await sendByScript(posthorn, { email });
    await send(posthorn, { email });
  }
  await posthorn.settle();
  for (const email of people) expect([email, await contactAt(posthorn, email)]).toEqual([email, null]);
  expect(posthorn.transport.sent).toEqual([]);
  expect(await posthorn.eventNames()).not.toContain("joined");
  expect((await ask(posthorn, `GET /forms/${id}/statistics`)).body).toMatchObject({ sent: 6, confirmed: 0 });
});

test("the ledger names the language in which the words were shown", async () => {
  await using posthorn = await workspace();
  await makeForm(posthorn, { consent: { wording: { de: "Ja, gern." } } });
  await send(posthorn, { email: ADA, _consent: "true", _language: "fr" });
  await press(posthorn, await linkTo(posthorn, ADA));
  const { id } = await contactAt(posthorn, ADA);
  const { data: rows } = (await ask(posthorn, `GET /contacts/${id}/consent`)).body;
  expect(rows.find(({ what }: Json) => what === "agreed").wording).toMatchObject({ version: 1, language: "de" });
});

test("a page shows no fault before somebody has made one, and what a link says cannot hold up anybody", async () => {
  await using posthorn = await workspace();
  const names = ["toString", "valueOf", "hasOwnProperty"].map((name) => ({ name, type: "text" }));
  await makeForm(posthorn, { fields: [...names, { name: "source", type: "hidden", value: "web" }] });
  for (const said of ["x".repeat(501), "a%0Ab"]) {
    const { text } = await visit(posthorn, `GET /f/news?source=${said}`);
    expect([text.includes('aria-invalid="true"'), text.includes('name="source" value="web"')]).toEqual([false, true]);
  }
  expect((await send(posthorn, { email: ADA, toString: "x" })).status).toBe(303);
});

test("what the script shows people is said in their language (slow)", async () => {
  await using posthorn = await workspace({ config: { limits: { signUpsPerMinute: 1 } } });
  const { id } = await makeForm(posthorn);
  const headers = { accept: "application/json", "accept-language": "de" };
  for (let sent = 0; sent < 20; sent++) await send(posthorn, { email: ADA }, headers);
  const busy = await send(posthorn, { email: ADA }, headers);
  expect([busy.status, JSON.parse(busy.text).error.message]).toEqual([
    429,
    "Gerade nutzen zu viele Menschen dieses Formular. Bitte versuchen Sie es in einer Minute noch einmal.",
  ]);
  expect(Number(busy.headers.get("retry-after"))).toBeGreaterThan(0);
  await ask(posthorn, `PATCH /forms/${id}`, { body: { enabled: false } });
  const closed = await send(posthorn, { email: ADA }, headers);
  expect([closed.status, JSON.parse(closed.text).error.message]).toEqual([
    404,
    "Dieses Formular ist geschlossen. Es nimmt zurzeit nichts entgegen.",
  ]);
});

test("the script asks nothing of a form that one of its fields could hide, such as elements or querySelector", () => {
  const asked = readFileSync(new URL("../../src/programs/forms/form-script.txt", import.meta.url), "utf8").match(
    /\bform\.\w+/g,
  );
  expect(asked).toBeNull();
});

test("the script's proof is that of SHA-256, however long the address is, and is bound to it", async () => {
  for (const length of [1, 20, 24, 55, 63, 100]) {
    const [token, email] = ["t".repeat(30), `${"a".repeat(length)}@example.com`];
    const proof = await proofFor(token, email, 12);
    const hashOf = (whose: string) =>
      createHash("sha256").update(`${token}:${whose}:${proof}`).digest().readUInt32BE(0);
    expect([hashOf(email) >>> 20 === 0, hashOf(`b${email}`) >>> 20 === 0]).toEqual([true, false]);
  }
  expect(PROOF_BITS).toBeGreaterThanOrEqual(20);
});
