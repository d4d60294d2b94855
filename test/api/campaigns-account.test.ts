// The account of a campaign: whom it would reach, whom it has reached, what became of each, what they followed, and
// when.
import { suppressContacts } from "../support/suppressed.ts";
import { describe, expect, test } from "bun:test";
import { linksOf } from "../../src/programs/campaigns/account/link-queries.ts";
import { withClickCounts } from "../../web/campaigns/results/click-counts.ts";
import { campaignById, type Campaign } from "../../src/programs/campaigns/queries.ts";
import { threadCpuMs } from "../../src/base/clock.ts";
import { addReaders, look, news, recipients, send, statistics, write } from "../support/campaigns.ts";
import { mailsSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { visit } from "../support/tracking.ts";
import { workspace } from "../support/workspace.ts";

const READER = ["POST /contacts", { email: "ada@example.com" }] as const;
const HOUR_MS = 60 * 60 * 1000;

scenarios("POST /campaigns/{id}/unschedule", [
  {
    name: "makes a draft of a campaign that is scheduled",
    given: [
      READER,
      ["POST /campaigns", news],
      ["POST /campaigns/$1.data.id/send", { scheduledFor: "2026-03-01T09:00:10Z" }],
    ],
    request: "POST /campaigns/$1.data.id/unschedule",
    status: 200,
    answer: { success: true, data: { id: "$1.data.id", status: "DRAFT", scheduledFor: null, totalRecipients: 1 } },
  },
  {
    name: "does nothing to a draft",
    given: [["POST /campaigns", news]],
    request: "POST /campaigns/$0.data.id/unschedule",
    status: 400,
    code: "CAMPAIGN_STATE",
  },
  {
    name: "is asked for in one way",
    given: [READER, ["POST /campaigns", news]],
    request: "POST /campaigns/$1.data.id/send",
    body: { delaySeconds: 10, scheduledFor: "2026-03-02T09:00:00Z" },
    status: 422,
    fields: { delaySeconds: "conflict" },
  },
  {
    name: "comes too late for what is being sent",
    given: [READER, ["POST /campaigns", news], ["POST /campaigns/$1.data.id/send"]],
    request: "POST /campaigns/$1.data.id/unschedule",
    status: 400,
    code: "CAMPAIGN_STATE",
  },
]);

test("a campaign that was taken back within its ten seconds never starts, and can be sent again (slow)", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 1);
  const id = await write(posthorn);
  const reply = await ask(posthorn, `POST /campaigns/${id}/send`, { body: { delaySeconds: 10 } });
  expect(reply.body.data.scheduledFor).toBe(new Date(posthorn.clock.nowMs() + 10_000).toISOString());
  posthorn.clock.advance(9_000);
  await ask(posthorn, `POST /campaigns/${id}/unschedule`);
  posthorn.clock.advance(60_000);
  await posthorn.settle();
  expect([(await look(posthorn, id)).status, posthorn.transport.sent.length]).toEqual(["DRAFT", 0]);
  await ask(posthorn, `POST /campaigns/${id}/send`);
  await posthorn.settle();
  expect([(await look(posthorn, id)).status, posthorn.transport.sent.length]).toEqual(["SENT", 1]);
});

/** Somebody of each kind: who gets mail, and who does not for each reason. */
async function addEverybody(posthorn: Posthorn): Promise<void> {
  await addReaders(posthorn, 3);
  await ask(posthorn, "POST /contacts", { body: { email: "gone@example.com", subscribed: false } });
  await ask(posthorn, "POST /contacts", { body: { email: "waits@example.com" } });
  await ask(posthorn, "POST /contacts", { body: { email: "bounced@example.com", data: { plan: "pro" } } });
  await posthorn.store.write(async (tx) => {
    await tx.run`update contacts set status = 'PENDING' where email = 'waits@example.com'`;
  });
  await suppressContacts(posthorn, "bounce", "bounced@example.com");
}

const PRO = {
  audienceType: "FILTERED",
  audienceCondition: { groups: [{ filters: [{ field: "data.plan", value: "pro" }] }] },
};

describe("an audience before it is frozen", () => {
  test("is counted in every unsent campaign: whom it would go to now", async () => {
    await using posthorn = await workspace();
    await addEverybody(posthorn);
    const created = (await ask(posthorn, "POST /campaigns", { body: news })).body.data;
    expect([created.totalRecipients, created.totalIsEstimate]).toEqual([3, false]);
    const pro = await write(posthorn, PRO);
    const { data } = (await ask(posthorn, "GET /campaigns")).body;
    expect(data.map(({ id, totalRecipients }: Json) => [id, totalRecipients])).toEqual([
      [pro, 0],
      [created.id, 3],
    ]);
    await ask(posthorn, "POST /contacts", { body: { email: "new@example.com", data: { plan: "pro" } } });
    expect((await look(posthorn, pro)).totalRecipients).toBe(1);
    expect((await ask(posthorn, `PUT /campaigns/${pro}`, { body: { audienceType: "ALL" } })).body.data).toMatchObject({
      totalRecipients: 4,
      totalIsEstimate: false,
    });
  });

  test("opens as the list of those who get it, and of those who do not for each reason", async () => {
    await using posthorn = await workspace();
    await addEverybody(posthorn);
    const { data } = (await ask(posthorn, "POST /campaigns/audience-preview", { body: { audienceType: "ALL" } })).body;
    expect(data).toMatchObject({
      matched: 6,
      willReceive: 3,
      excluded: { unsubscribed: 1, pending: 1, suppressed: 1, topic: 0, paused: 0 },
    });
    const people = async (part: string, more = {}) =>
      (await ask(posthorn, "POST /campaigns/audience-people", { body: { audienceType: "ALL", part, ...more } })).body;
    const names = async (part: string) => (await people(part)).data.map(({ email }: Json) => email.split("@")[0]);
    expect(await names("willReceive")).toEqual(["reader1", "reader2", "reader3"]);
    expect(await names("unsubscribed")).toEqual(["gone"]);
    expect(await names("pending")).toEqual(["waits"]);
    expect(await names("suppressed")).toEqual(["bounced"]);
    expect((await names("matched")).length).toBe(6);
    const first = await people("matched", { limit: 4 });
    const second = await people("matched", { limit: 4, cursor: first.cursor });
    expect([first.hasMore, first.data.length, second.hasMore, second.data.length]).toEqual([true, 4, false, 2]);
    const pro = (await ask(posthorn, "POST /campaigns/audience-people", { body: { ...PRO, part: "suppressed" } })).body;
    expect(pro.data.map(({ email }: Json) => email)).toEqual(["bounced@example.com"]);
  });
});

scenarios("POST /campaigns/audience-people", [
  {
    name: "needs to know which part",
    request: "POST /campaigns/audience-people",
    body: { audienceType: "ALL" },
    status: 422,
    fields: { part: "required" },
  },
  {
    name: "knows no other parts",
    request: "POST /campaigns/audience-people",
    body: { audienceType: "ALL", part: "erased" },
    status: 422,
    fields: { part: "invalid" },
  },
  {
    name: "refuses a cursor of another list",
    request: "POST /campaigns/audience-people",
    body: { audienceType: "ALL", part: "matched", cursor: "WyJlbWFpbHMiLDFd" },
    status: 400,
    code: "INVALID_PARAMETERS",
  },
]);

test("campaigns are found by a part of what they are called, and read by cursor", async () => {
  await using posthorn = await workspace();
  const ids: string[] = [];
  for (const name of ["Straße im Frühling", "Summer", "Spring again", "Autumn"])
    ids.push(await write(posthorn, { name }));
  const named = async (query: string) => {
    const { data, ...rest } = (await ask(posthorn, `GET /campaigns?${query}`)).body;
    return { ids: data.map(({ id }: Json) => id), ...rest };
  };
  expect((await named("search=STRASSE")).ids).toEqual([ids[0]]);
  expect((await named("search=PRING")).ids).toEqual([ids[2]]);
  const first = await named("limit=3");
  const second = await named(`limit=3&cursor=${first.cursor}`);
  expect([first.ids.length, first.hasMore, second.ids, second.cursor]).toEqual([3, true, [ids[0]], null]);
  expect((await named("search=nothing")).ids).toEqual([]);
  const { status, body } = await ask(posthorn, "GET /campaigns?search=a&page=2");
  expect([status, body.error.errors[0].field]).toEqual([400, "page"]);
});

/** Six readers: one bounced, two failed, three sent. */
function refuseSome(posthorn: Posthorn): void {
  posthorn.transport.answer = ({ envelope: { recipient } }) => {
    if (recipient.startsWith("reader1")) return { kind: "bounced", reply: "550 5.1.1 no such user" };
    if (/reader[23]/.test(recipient)) return { kind: "failed", reply: "554 5.7.1 no" };
    return { kind: "accepted", reply: "250 Ok" };
  };
}

async function sent(posthorn: Posthorn, input: object = {}): Promise<string> {
  await addReaders(posthorn, 6);
  refuseSome(posthorn);
  const id = await send(posthorn, input);
  await posthorn.settle();
  return id;
}

async function listed(posthorn: Posthorn, id: string, query: string): Promise<string[]> {
  const { data } = (await ask(posthorn, `GET /campaigns/${id}/recipients?${query}`)).body;
  return data.map(({ email }: Json) => email?.split("@")[0] ?? null);
}

describe("the recipients of a campaign", () => {
  test("are listed by state, by what they did and by address, and every number opens as such a list (slow)", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "late@example.com" } });
    refuseSome(posthorn);
    await addReaders(posthorn, 6);
    const id = await send(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/pause`);
    await posthorn.settle();
    await ask(posthorn, "POST /contacts", { body: { email: "late@example.com", subscribed: false } });
    await ask(posthorn, `POST /campaigns/${id}/resume`);
    await posthorn.settle();
    posthorn.mailsAreMadeUp = true;
    await posthorn.store.write(async (tx) => {
      await tx.run`update emails set opened_at = ${tx.now}, opens = 1 where to_address in ('reader4@example.com', 'reader5@example.com')`;
      await tx.run`update emails set unsubscribed_at = ${tx.now} where to_address = 'reader5@example.com'`;
      // Of somebody who is erased no reason is kept.
      await tx.run`update emails set error = null where to_address = 'reader3@example.com'`;
    });
    expect(await listed(posthorn, id, "state=FAILED")).toEqual(["reader2", "reader3"]);
    expect(await listed(posthorn, id, "state=FAILED,BOUNCED")).toEqual(["reader1", "reader2", "reader3"]);
    expect(await listed(posthorn, id, "state=SENT&limit=2")).toEqual(["reader4", "reader5"]);
    expect(await listed(posthorn, id, "state=SKIPPED")).toEqual(["late"]);
    expect(await listed(posthorn, id, "action=opened")).toEqual(["reader4", "reader5"]);
    expect(await listed(posthorn, id, "action=unsubscribed")).toEqual(["reader5"]);
    expect(await listed(posthorn, id, "action=clicked")).toEqual([]);
    expect(await listed(posthorn, id, "search=reader5")).toEqual(["reader5"]);
    expect(await listed(posthorn, id, "search=READER&state=FAILED")).toEqual(["reader2", "reader3"]);
    expect(await listed(posthorn, id, "state=PENDING,QUEUED,SENDING,CANCELLED")).toEqual([]);
    expect(await listed(posthorn, id, "refused=true")).toEqual(["reader1"]);
    const left = "state=SENT,DELIVERED,BOUNCED,COMPLAINED&refused=false";
    expect(await listed(posthorn, id, left)).toEqual(["reader4", "reader5", "reader6"]);
    const { totalRecipients, sentCount, refusedCount, failedCount, skippedCount } = await statistics(posthorn, id);
    expect([totalRecipients, sentCount, refusedCount, failedCount, skippedCount]).toEqual([7, 3, 1, 2, 1]);
    const cursor = async (query: string) => (await ask(posthorn, `GET /campaigns/${id}/recipients?${query}`)).body;
    const first = await cursor("limit=5");
    const rest = await cursor(`limit=5&cursor=${first.cursor}`);
    expect([first.data.length, first.hasMore, rest.data.length, rest.hasMore]).toEqual([5, true, 2, false]);
    expect((await ask(posthorn, `GET /campaigns/${id}/recipients?state=GONE`)).status).toBe(400);
    expect((await ask(posthorn, `GET /campaigns/${id}/recipients?state=SENT&page=1`)).status).toBe(400);
  });

  test("who wait are PENDING or QUEUED while it is sent, and CANCELLED once the rest is cancelled", async () => {
    await using posthorn = await workspace();
    await addReaders(posthorn, 2);
    const id = await send(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/pause`);
    await posthorn.settle();
    expect(await listed(posthorn, id, "state=PENDING,QUEUED,SENDING")).toEqual(["reader1", "reader2"]);
    await ask(posthorn, `POST /campaigns/${id}/cancel`);
    await posthorn.settle();
    expect(await listed(posthorn, id, "state=PENDING")).toEqual([]);
    expect(await listed(posthorn, id, "state=CANCELLED")).toEqual(["reader1", "reader2"]);
    expect(await listed(posthorn, id, "state=SKIPPED")).toEqual([]);
  });

  test("whose mail was pruned are still in their state (slow)", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    await posthorn.store.write(async (tx) => {
      const past = JSON.stringify({ status: "SENT", sentAt: tx.now, openedAt: tx.now });
      await tx.run`update recipients set past = ${past}, email = null
        where contact = (select seq from contacts where email = 'reader4@example.com')`;
      const withheld = JSON.stringify({
        status: "SKIPPED",
        skippedAt: tx.now,
      });
      await tx.run`update recipients set past = ${withheld}, email = null
        where contact = (select seq from contacts where email = 'reader5@example.com')`;
    });
    const before = await recipients(posthorn, id);
    for (const state of ["SENT", "FAILED", "SKIPPED", "BOUNCED"]) {
      const those = before.filter((line) => line.includes(` ${state}`)).map((line) => line.split("@")[0] as string);
      expect([state, await listed(posthorn, id, `state=${state}`)]).toEqual([state, those]);
    }
    expect(await listed(posthorn, id, "action=opened")).toEqual(["reader4"]);
    const { points } = (await ask(posthorn, `GET /campaigns/${id}/series`)).body.data;
    expect(points[0]).toMatchObject({ sent: 2, opened: 1 });
  });

  test("are exported with the same filters, and no cell is a formula", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    await posthorn.store.write((tx) => tx.run`update emails set error = '=cmd()' where to_address like 'reader2@%'`);
    const { body, headers } = await ask(posthorn, `GET /campaigns/${id}/recipients/export?state=FAILED`);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, ...lines] = body.trim().split("\r\n");
    expect(head.split(",").slice(0, 3)).toEqual(["email", "state", "reason"]);
    expect(lines.map((line: string) => line.split(",").slice(0, 3))).toEqual([
      ["reader2@example.com", "FAILED", "'=cmd()"],
      ["reader3@example.com", "FAILED", "554 5.7.1 no"],
    ]);
    const all = (await ask(posthorn, `GET /campaigns/${id}/recipients/export`)).body.trim().split("\r\n");
    expect(all.length).toBe(7);
  });
});

describe("those whom a campaign did not reach", () => {
  test("are the frozen audience of a new draft; who has unsubscribed by then gets nothing (slow)", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    const made = await ask(posthorn, `POST /campaigns/${id}/again`);
    expect(made.body.data).toMatchObject({
      ...{ status: "DRAFT", name: "Spring news (Again)", subject: news.subject, audienceType: "FILTERED" },
      repeats: { campaignId: id, states: ["FAILED"] },
    });
    const again = made.body.data.id;
    await posthorn.settle();
    expect([(await look(posthorn, again)).totalRecipients, await listed(posthorn, again, "state=PENDING")]).toEqual([
      2,
      ["reader2", "reader3"],
    ]);
    // Nobody comes later, and nobody is sent anything against their will.
    await posthorn.store.write((tx) => tx.run`update emails set status = 'FAILED' where to_address like 'reader4@%'`);
    await ask(posthorn, "POST /contacts", { body: { email: "reader3@example.com", subscribed: false } });
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    await ask(posthorn, `POST /campaigns/${again}/send`);
    await posthorn.settle();
    expect(await recipients(posthorn, again)).toEqual([
      "reader2@example.com SENT",
      "reader3@example.com SKIPPED unsubscribed",
    ]);
    expect(await recipients(posthorn, id)).toHaveLength(6);
  });

  test("go by the states that are named, and a copy goes to the same; another audience is refused (slow)", async () => {
    await using posthorn = await workspace();
    const id = await sent(posthorn);
    posthorn.mailsAreMadeUp = true;
    await posthorn.store.write(async (tx) => {
      await tx.run`update emails set bounce_type = 'Transient' where to_address like 'reader1@%'`;
      await tx.run`update contacts set suppressed = null where email like 'reader1@%'`;
    });
    await ask(posthorn, "POST /contacts", { body: { email: "reader1@example.com", subscribed: true } });
    const body = { states: ["BOUNCED", "FAILED"], name: "Once more" };
    const again = (await ask(posthorn, `POST /campaigns/${id}/again`, { body })).body.data.id;
    const copy = (await ask(posthorn, `POST /campaigns/${again}/duplicate`)).body.data.id;
    const at = new Date(posthorn.clock.nowMs() + HOUR_MS).toISOString();
    await ask(posthorn, `POST /campaigns/${copy}/send`, { body: { scheduledFor: at } });
    await ask(posthorn, `POST /campaigns/${copy}/unschedule`);
    await posthorn.settle();
    for (const one of [again, copy])
      expect(await listed(posthorn, one, "limit=9")).toEqual(["reader1", "reader2", "reader3"]);
    const changed = await ask(posthorn, `PUT /campaigns/${again}`, { body: { audienceType: "ALL" } });
    expect([changed.status, changed.body.error.errors[0].field]).toEqual([422, "audienceType"]);
    expect((await ask(posthorn, `PUT /campaigns/${again}`, { body: { subject: "Once more" } })).status).toBe(200);
    const nobody = await ask(posthorn, `POST /campaigns/${id}/again`, { body: { states: ["CANCELLED"] } });
    expect([nobody.status, nobody.body.error.code]).toEqual([400, "NO_RECIPIENTS"]);
    const draft = await ask(posthorn, `POST /campaigns/${again}/again`);
    expect([draft.status, draft.body.error.code]).toEqual([400, "CAMPAIGN_STATE"]);
    expect((await ask(posthorn, `POST /campaigns/${id}/again`, { body: { states: ["SENT"] } })).status).toBe(422);
  });
});

describe("what people followed", () => {
  const body = `<p><a href="https://shop.example/list">List</a> <a href="https://shop.example/terms">Terms</a></p>`;

  async function clickable(posthorn: Posthorn, html = body) {
    const id = await sent(posthorn, { body: html });
    const mails = (await mailsSent(posthorn)).filter(({ html }) => String(html).includes("/c/"));
    const paths = mails.map(({ html }) =>
      [...String(html).matchAll(/http:\/\/127\.0\.0\.1:8484(\/c\/[\w-]+)/g)].map(([, path]) => path as string),
    );
    // Of the mails, the last three have left.
    return { id, paths: paths.slice(-3) };
  }

  test("is listed link by link: how often, and by how many; each opens as the list of those people (slow)", async () => {
    await using posthorn = await workspace({ tracking: true });
    const { id, paths } = await clickable(posthorn);
    for (const _ of [1, 2])
      await visit(posthorn, paths[0]?.[0] as string, { userAgent: "Mozilla/5.0 (X11) Firefox/140" });
    await visit(posthorn, paths[1]?.[0] as string, { userAgent: "Mozilla/5.0 (X11) Firefox/140" });
    await visit(posthorn, paths[1]?.[1] as string, { userAgent: "Mozilla/5.0 (X11) Firefox/140" });
    const { data } = (await ask(posthorn, `GET /campaigns/${id}/links`)).body;
    expect(data).toEqual({
      links: [
        { url: "https://shop.example/list", clicks: 3, people: 2 },
        { url: "https://shop.example/terms", clicks: 1, people: 1 },
      ],
      isLowerBound: false,
    });
    const campaign = await posthorn.store.read((reader) => campaignById(reader, 1, id));
    const few = await posthorn.store.read((reader) =>
      linksOf(reader, campaign as Campaign, { mails: 9, clicks: 2, links: 1 }),
    );
    expect([few.links.length, few.looked]).toEqual([1, 2]);
    const by = (url: string) => listed(posthorn, id, `link=${encodeURIComponent(url)}`);
    expect(await by("https://shop.example/list")).toEqual(["reader4", "reader5"]);
    expect(await by("https://shop.example/terms")).toEqual(["reader5"]);
    expect(await by("https://shop.example/other")).toEqual([]);
    expect(await listed(posthorn, id, "action=clicked")).toEqual(["reader4", "reader5"]);
  });

  test("is one link where each mail has another URL of it (slow)", async () => {
    await using posthorn = await workspace({ tracking: true });
    const coupon = "https://shop.example/?a=1&c={{ email }}";
    const page = "https://shop.example/%[*_]{% if email %}x{% else %}y{% endif %}?c={{ email }}#top";
    const links = [coupon.replace("&", "&amp;"), "https://shop.example/?a=1&amp;c=all", page, "{{ site }}"];
    const html = links.map((url) => `<p><a href="${url}">Look</a></p>`).join("");
    for (const n of [1, 2, 3, 4, 5, 6])
      await ask(posthorn, "POST /contacts", {
        body: { email: `reader${n}@example.com`, data: { site: `https://${n}.example` } },
      });
    const { id, paths } = await clickable(posthorn, html);
    for (const path of paths.flat()) await visit(posthorn, path, { userAgent: "Mozilla/5.0 (X11) Firefox/140" });
    const { data } = (await ask(posthorn, `GET /campaigns/${id}/links`)).body;
    const urls = [page, coupon, "https://shop.example/?a=1&c=all", "{{ site }}"];
    expect(data.links).toHaveLength(urls.length);
    for (const url of urls) {
      expect(data.links).toContainEqual({ url, clicks: 3, people: 3 });
      expect(await listed(posthorn, id, `link=${encodeURIComponent(url)}`)).toHaveLength(3);
    }
    const own = encodeURIComponent("https://shop.example/?a=1&c=reader5%40example.com");
    expect(await listed(posthorn, id, `link=${own}`)).toEqual(["reader5"]);
  });

  test("is listed as it is where no link says it, whatever else the body has (slow)", async () => {
    await using posthorn = await workspace({ tracking: true });
    const hostile = [
      "{{ unsubscribeUrl }}",
      `https://shop.example/{{ email }}${"x".repeat(60_000)}`,
      `{% raw %}${"{{".repeat(40_000)}{% endraw %}`,
      ...Array.from({ length: 1_500 }, (_, n) => `https://${n}.example/{{ email }}`),
      ...Array.from({ length: 2_000 }, (_, n) => `https://${n}.example/`),
    ];
    const rich = `{{{ rich }}}${hostile.map((url) => `<a href="${url}">x</a>`).join("")}`;
    for (const n of [1, 2, 3, 4, 5, 6])
      await ask(posthorn, "POST /contacts", {
        body: { email: `reader${n}@example.com`, data: { rich: `<a href="https://own.example/${n}">My own</a>` } },
      });
    const { id, paths } = await clickable(posthorn, rich);
    for (const [own] of paths) await visit(posthorn, own as string, { userAgent: "Mozilla/5.0 (X11) Firefox/140" });
    const beganMs = threadCpuMs();
    const { data } = (await ask(posthorn, `GET /campaigns/${id}/links`)).body;
    // Reading each opening brace to the end of the link took 12 seconds.
    expect(threadCpuMs() - beganMs).toBeLessThan(5_000);
    expect(data.links.map(({ url }: Json) => url)).toEqual([4, 5, 6].map((n) => `https://own.example/${n}`));
    expect(await listed(posthorn, id, `link=${encodeURIComponent("https://own.example/5")}`)).toEqual(["reader5"]);
  });

  test("is counted on the email that is shown, at the link that was written", () => {
    const links = [
      { url: "https://shop.example/?c={{ coupon }}", people: 54 },
      { url: "https://shop.example/?c=all", people: 3 },
    ];
    const html = `<a href="https://shop.example/?c=">A</a><a href="https://shop.example/?c=all">B</a><a href="https://x.example">C</a>`;
    const counted = withClickCounts(html, links, String).replace(/<span[^>]*>(\d+)<\/span>/g, "[$1]");
    expect(counted.replace(/<[^>]*>/g, "")).toBe("A[54]B[3]C");
    // To try each place for each piece would take longer than a day.
    const many = [{ url: `https://shop.example/${"{{ x }}a".repeat(12)}b`, people: 1 }];
    const long = `<a href="https://shop.example/${"a".repeat(1_000)}">D</a>`;
    expect(withClickCounts(long, many, String)).toBe(long);
  });

  test("and when it happened is a series of hours or days", async () => {
    await using posthorn = await workspace({ tracking: true });
    const { id, paths } = await clickable(posthorn);
    posthorn.clock.advance(2 * HOUR_MS);
    await visit(posthorn, paths[0]?.[0] as string, { userAgent: "Mozilla/5.0 (X11) Firefox/140" });
    const { data } = (await ask(posthorn, `GET /campaigns/${id}/series`)).body;
    expect([data.step, data.points[0].at, data.isEstimate]).toEqual(["hour", "2026-03-01T09:00:00.000Z", false]);
    expect(
      data.points.map(({ at, sent, clicked, bounced }: Json) => [at.slice(11, 13), sent, clicked, bounced]),
    ).toEqual([
      ["09", 3, 0, 1],
      ["10", 0, 0, 0],
      ["11", 0, 1, 0],
    ]);
    const days = (await ask(posthorn, `GET /campaigns/${id}/series?step=day&timeZone=Asia/Kathmandu`)).body.data;
    expect(days.points).toMatchObject([{ at: "2026-02-28T18:15:00.000Z", sent: 3, clicked: 1 }]);
    expect((await ask(posthorn, `GET /campaigns/${id}/series?timeZone=Mars`)).status).toBe(400);
    expect((await ask(posthorn, `GET /campaigns/${await write(posthorn)}/series`)).body.data.points).toEqual([]);
  });
});
