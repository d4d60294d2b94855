// Opens and clicks: who is counted, what is emitted, and that a recipient always gets on.
import { describe, expect, test } from "bun:test";
import { contentOf, letter, mailSent } from "../support/mails.ts";
import type { Posthorn, Reply } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { readEmail, sendTracked, visit } from "../support/tracking.ts";
import { workspace } from "../support/workspace.ts";

const BODY =
  '<p>Hello <a href="https://shop.example/a?b=1&amp;c=2">shop</a> <a href="mailto:x@shop.example">write</a></p>';

async function opened(posthorn: Posthorn): Promise<object[]> {
  return (await posthorn.events()).filter(({ name }) => name === "email.open").map(({ data }) => data);
}

async function clicked(posthorn: Posthorn): Promise<object[]> {
  return (await posthorn.events()).filter(({ name }) => name === "email.click").map(({ data }) => data);
}

test("an open is told with all that the interface names, and the next one as such (slow)", async () => {
  await using posthorn = await workspace({ tracking: true });
  const { id, pixel } = await sendTracked(posthorn, BODY);
  posthorn.clock.advance(60_000);
  const reply = await visit(posthorn, pixel);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "image/gif"]);
  expect(reply.headers.get("cache-control")).toContain("no-store");
  posthorn.clock.advance(60_000);
  await visit(posthorn, pixel);
  const base = {
    subject: letter.subject,
    from: letter.from,
    fromName: "",
    messageId: expect.stringContaining(id),
    emailId: id,
    templateId: null,
    campaignId: null,
    sourceType: "TRANSACTIONAL",
    openedAt: "2026-03-01T09:01:00.000Z",
  };
  expect(await opened(posthorn)).toEqual([
    { ...base, opens: 1, isFirstOpen: true },
    { ...base, opens: 2, isFirstOpen: false },
  ]);
  expect(await readEmail(posthorn, id)).toMatchObject({
    opens: 2,
    openedAt: base.openedAt,
    clicks: 0,
    clickedAt: null,
  });
});

test("a click leads on to the link and is told, the first one as such", async () => {
  await using posthorn = await workspace({ tracking: true });
  const { id, links } = await sendTracked(posthorn, BODY);
  expect(links).toHaveLength(1);
  const reply = await visit(posthorn, links[0] as string);
  expect([reply.status, reply.headers.get("location")]).toEqual([302, "https://shop.example/a?b=1&c=2"]);
  await visit(posthorn, links[0] as string);
  const link = "https://shop.example/a?b=1&c=2";
  const clickedAt = "2026-03-01T09:00:00.000Z";
  expect(await clicked(posthorn)).toMatchObject([
    { emailId: id, link, clickedAt, clicks: 1, isFirstClick: true },
    { emailId: id, link, clickedAt, clicks: 2, isFirstClick: false },
  ]);
  expect(await readEmail(posthorn, id)).toMatchObject({ clicks: 2, clickedAt, opens: 0 });
});

test("the text part keeps its links", async () => {
  await using posthorn = await workspace({ tracking: true });
  await sendTracked(posthorn, BODY);
  expect((await mailSent(posthorn)).text).toContain("https://shop.example/a?b=1&c=2");
});

test("a mail whose HTML comes to nothing has its text alone", async () => {
  await using posthorn = await workspace({ tracking: true });
  await ask(posthorn, "POST /v1/send", { body: { ...letter, body: "{{ page }}", text: "Hello" } });
  expect(contentOf(await mailSent(posthorn))).toMatchObject({ html: null, text: "Hello" });
});

test("the way out of marketing mail is not led past us", async () => {
  await using posthorn = await workspace({ tracking: true });
  const template = { name: "News", subject: "News", body: BODY, type: "MARKETING", from: letter.from };
  const { id } = (await ask(posthorn, "POST /templates", { body: template })).body;
  await ask(posthorn, "POST /v1/send", { body: { to: letter.to, template: id, subscribed: true } });
  expect((await mailSent(posthorn)).html).toMatch(/<a href="http:\/\/127\.0\.0\.1:8484\/unsubscribe\/[\w-]+"/);
});

test("the raw mail is the very one that left", async () => {
  await using posthorn = await workspace({ tracking: true });
  const { id } = await sendTracked(posthorn, BODY);
  await ask(posthorn, "PATCH /workspace", { body: { tracking: "DISABLED" } });
  const { body } = await ask(posthorn, `GET /emails/${id}/raw`);
  expect(body).toBe(posthorn.transport.sent[0]?.raw.toString());
});

describe("nothing is looked for", () => {
  const isTracked = async (posthorn: Posthorn) => ((await mailSent(posthorn)).html as string).includes("/o/");

  test("in a mail that says so", async () => {
    await using posthorn = await workspace({ tracking: true });
    await ask(posthorn, "POST /v1/send", { body: { ...letter, tracking: false } });
    expect(await isTracked(posthorn)).toBe(false);
  });

  test.each([
    ["ENABLED", "TRANSACTIONAL", true],
    ["ENABLED", "MARKETING", true],
    ["MARKETING_ONLY", "TRANSACTIONAL", false],
    ["MARKETING_ONLY", "MARKETING", true],
    ["DISABLED", "TRANSACTIONAL", false],
    ["DISABLED", "MARKETING", false],
  ])("where the workspace says %s, %s mail: %p", async (tracking, type, expected) => {
    await using posthorn = await workspace({ tracking: true });
    await ask(posthorn, "PATCH /workspace", { body: { tracking } });
    const template = { name: "One", subject: "One", body: BODY, type, from: letter.from };
    const { id } = (await ask(posthorn, "POST /templates", { body: template })).body;
    await ask(posthorn, "POST /v1/send", { body: { to: letter.to, template: id, subscribed: true } });
    expect(await isTracked(posthorn)).toBe(expected);
  });
});

const shared = sharedPosthorn({ tracking: true });

describe("a machine", () => {
  const MACHINES = [
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
    "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
    "Mozilla/5.0",
    "Mozilla/5.0 (compatible; Barracuda Sentinel)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  ];
  test.each(MACHINES)("%s is kept apart and emits nothing", async (userAgent) => {
    const posthorn = shared();
    const { id, pixel, links } = await sendTracked(posthorn, BODY);
    await visit(posthorn, pixel, { userAgent });
    expect((await visit(posthorn, links[0] as string, { userAgent })).status).toBe(302);
    const { opens, clicks, timeline } = await readEmail(posthorn, id);
    expect([opens, clicks, await opened(posthorn), await clicked(posthorn)]).toEqual([0, 0, [], []]);
    expect(timeline.slice(-2)).toMatchObject([
      { what: "email.open", detail: { bot: true } },
      { what: "email.click", detail: { bot: true, link: "https://shop.example/a?b=1&c=2" } },
    ]);
  });

  test("that only asks whether there is something is one", async () => {
    await using posthorn = await workspace({ tracking: true });
    const { pixel, links } = await sendTracked(posthorn, BODY);
    const replies = [
      await visit(posthorn, pixel, { method: "HEAD" }),
      await visit(posthorn, links[0] as string, { method: "HEAD" }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 302]);
    expect([await opened(posthorn), await clicked(posthorn)]).toEqual([[], []]);
  });

  test("does not fill the store, however often it comes", async () => {
    await using posthorn = await workspace({ tracking: true });
    const { id, pixel } = await sendTracked(posthorn, BODY);
    for (let n = 0; n < 12; n++)
      await Promise.all(Array.from({ length: 10 }, () => visit(posthorn, pixel, { method: "HEAD" })));
    const { timeline } = await readEmail(posthorn, id);
    expect(timeline.filter(({ what }: { what: string }) => what === "email.open")).toHaveLength(100);
  });

  test.each([
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
    "Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.4.1",
    "Outlook-iOS/709.2226530.prod.iphone",
    "Mozilla/5.0 (Linux; Android 10; CUBOT P40) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 12) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile DuckDuckGo/5 Safari/537.36",
    "curl/8.5.0",
    "",
  ])("is not what calls itself %p", async (userAgent) => {
    const posthorn = shared();
    const before = (await opened(posthorn)).length;
    const { pixel } = await sendTracked(posthorn, BODY);
    await visit(posthorn, pixel, { userAgent });
    expect(await opened(posthorn)).toHaveLength(before + 1);
  });
});

describe("a recipient gets on", () => {
  const gone = async (posthorn: Posthorn, url: string): Promise<Reply> => visit(posthorn, url);

  test("when the mail is gone", async () => {
    await using posthorn = await workspace({ tracking: true });
    const { links, pixel } = await sendTracked(posthorn, BODY);
    await posthorn.store.write((tx) => tx.run`delete from emails`);
    expect([(await gone(posthorn, pixel)).status, (await gone(posthorn, links[0] as string)).status]).toEqual([
      200, 302,
    ]);
    expect([await opened(posthorn), await clicked(posthorn)]).toEqual([[], []]);
  });

  test("when the store cannot be written to", async () => {
    await using posthorn = await workspace({ tracking: true });
    const { links, pixel } = await sendTracked(posthorn, BODY);
    await posthorn.store.write((tx) => tx.run`alter table emails rename to elsewhere`);
    expect([(await gone(posthorn, pixel)).status, (await gone(posthorn, links[0] as string)).status]).toEqual([
      200, 302,
    ]);
    await posthorn.store.write((tx) => tx.run`alter table elsewhere rename to emails`);
    expect(posthorn.logLines.join("\n")).not.toContain("shop.example");
  });
});

test.each(["/o/x", "/c/x", `/c/${"A".repeat(60)}`, `/o/${"A".repeat(38)}`])(
  "%s is nobody's and leads nowhere",
  async (path) => {
    const posthorn = shared();
    const before = await posthorn.eventNames();
    const reply = await ask(posthorn, `GET ${path}`, { key: "none" });
    expect([reply.status, reply.headers.get("location")]).toEqual([404, null]);
    expect(await posthorn.eventNames()).toEqual(before);
  },
);

test("opens and clicks of many at once are all counted (slow)", async () => {
  await using posthorn = await workspace({ tracking: true });
  const { id, pixel, links } = await sendTracked(posthorn, BODY);
  await Promise.all(Array.from({ length: 40 }, (_, n) => visit(posthorn, n % 2 === 0 ? pixel : (links[0] as string))));
  // Who asks does not wait for a store that is slow: what was seen is recorded beside.
  const seen = async () => (({ opens, clicks }) => opens + clicks)(await readEmail(posthorn, id));
  while ((await seen()) < 40);
  expect(await readEmail(posthorn, id)).toMatchObject({ opens: 20, clicks: 20 });
  const totals = (await opened(posthorn)).map((data) => (data as { opens: number }).opens);
  expect(totals.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});
