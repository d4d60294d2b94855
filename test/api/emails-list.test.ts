// GET /emails by cursor: each filter, what a search finds, and pages that stay as they are while mail arrives.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { sql } from "../../src/store/sql.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

type Book = Readonly<Record<string, string>>;

async function send(posthorn: Posthorn, changes: object, headers: Record<string, string> = {}): Promise<Json> {
  const { status, body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, ...changes }, headers });
  expect(status).toBe(200);
  return body.data.emails[0];
}

async function listed(posthorn: Posthorn, query: string): Promise<Json> {
  const { status, body } = await ask(posthorn, `GET /emails?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body;
}

const names = (body: Json): string[] => body.data.map(({ to }: { to: string }) => to.replace("@example.com", ""));

let posthorn: Posthorn;
let book: Book;

/** One mail of each kind, a minute apart: the name before the @ says which. */
async function made(): Promise<Book> {
  const { clock, transport } = posthorn;
  const post = async (route: string, body: object) => (await ask(posthorn, route, { body })).body;
  transport.answer = ({ envelope: { recipient } }) => {
    if (/^(failed|news-failed)@/.test(recipient)) return { kind: "failed", reply: "554 5.7.1 No" };
    if (recipient.startsWith("bounced@")) return { kind: "bounced", reply: "550 5.1.1 No such user" };
    return { kind: "accepted", reply: "250 2.0.0 queued as 4F2", remoteId: `R-${recipient}` };
  };
  await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const template = await post("POST /templates", {
    ...{ name: "Receipt", subject: "Receipt", body: "<p>R</p>", type: "TRANSACTIONAL", from: "shop@example.test" },
  });
  const workflow = await post("POST /workflows", {
    ...{ name: "Welcome", eventName: "signup", enabled: true },
    steps: [{ type: "SEND_EMAIL", name: "Mail", config: { templateId: template.id } }],
  });
  const sent = await send(posthorn, { to: "sent@example.com" }, { "X-Request-Id": "order-17" });
  const steps: (() => Promise<unknown>)[] = [
    () => send(posthorn, { to: "failed@example.com", subject: "Your Invoice 100%" }),
    () => send(posthorn, { to: "bounced@example.com" }),
    () => send(posthorn, { to: "template@example.com", template: template.id, from: null, subject: null, body: null }),
    () => post("POST /v1/track", { email: "workflow@example.com", event: "signup" }),
    () => post("POST /contacts", { email: "news@example.com" }),
    () => post("POST /contacts", { email: "news-failed@example.com" }),
  ];
  for (const step of steps) {
    clock.advance(60_000);
    await step();
    await posthorn.settle();
  }
  const campaign = await post("POST /campaigns", {
    ...{ name: "News", subject: "Spring", body: "<p>It is.</p>", from: "news@example.test" },
    ...{
      audienceType: "FILTERED",
      audienceCondition: { groups: [{ filters: [{ field: "email", operator: "contains", value: "news" }] }] },
    },
  });
  await post(`POST /campaigns/${campaign.data.id}/send`, {});
  await posthorn.settle();
  clock.advance(60_000);
  const sendAt = new Date(clock.nowMs() + 3_600_000).toISOString();
  const queued = await send(posthorn, { to: "queued@example.com", sendAt });
  return {
    template: template.id,
    workflow: workflow.id,
    campaign: campaign.data.id,
    contact: sent.contact.id,
    sent: sent.email,
    queued: queued.email,
  };
}

beforeAll(async () => {
  posthorn = await workspace();
  book = await made();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

describe("a filter of the list of mails", () => {
  const cases: readonly [query: string, found: readonly string[]][] = [
    ["status=FAILED&limit=5", ["news-failed", "failed"]],
    ["status=FAILED,BOUNCED", ["news-failed", "bounced", "failed"].sort()],
    ["status=FAILED&status=BOUNCED", ["news-failed", "bounced", "failed"].sort()],
    ["status=QUEUED&limit=5", ["queued"]],
    ["status=QUEUED,SENDING", ["queued"]],
    ["status=SENDING&limit=5", []],
    ["status=QUEUED,FAILED", ["queued", "news-failed", "failed"]],
    ["held=false", ["queued"]],
    ["held=true", []],
    ["held=true&status=FAILED", []],
    ["sourceType=TRANSACTIONAL", ["queued", "template", "bounced", "failed", "sent"]],
    ["sourceType=WORKFLOW", ["workflow"]],
    ["sourceType=CAMPAIGN", ["news", "news-failed"]],
    ["sourceType=INBOUND", []],
    ["contactId=$contact", ["sent"]],
    ["contactId=$contact&status=FAILED", []],
    ["campaignId=$campaign", ["news", "news-failed"]],
    ["campaignId=$campaign&status=FAILED", ["news-failed"]],
    ["campaignId=$campaign&status=SENT", ["news"]],
    ["templateId=$template", ["workflow", "template"]],
    ["templateId=$template&sourceType=WORKFLOW", ["workflow"]],
    ["templateId=$template&status=SENT", ["workflow", "template"]],
    ["workflowId=$workflow", ["workflow"]],
    ["workflowId=$sent", []],
    ["domain=example.test&status=FAILED", ["news-failed", "failed"]],
    ["domain=ample.test", []],
    ["since=2026-03-01T09:04:00Z&sourceType=TRANSACTIONAL", ["queued"]],
    ["until=2026-03-01T10:02:00%2B01:00", ["failed", "sent"]],
    ["since=2026-03-01T09:01:00Z&until=2026-03-01T09:03:00Z", ["bounced", "failed"]],
    ["since=2027-01-01T00:00:00Z", []],
    ["search=failed@example.com", ["failed"]],
    ["search=FAILED@", ["failed"]],
    ["search=news", ["news", "news-failed"]],
    ["search=news-failed@&status=FAILED", ["news-failed"]],
    ["search=news-failed@&status=SENT", []],
    ["search=invoice%20100%25", ["failed"]],
    ["search=invoice%20100_", []],
    ["search=order-17", ["sent"]],
    ["search=order-1", []],
    ["search=$sent", ["sent"]],
    ["search=$sent@example.test", ["sent"]],
    ["search=%3C$sent@example.test%3E", ["sent"]],
    ["search=%3C$sent@example.test%3E&status=FAILED", []],
    ["search=R-news@example.com", []],
    ["search=nobody@example.com", []],
  ];
  test.each(cases)("%s", async (query, found) => {
    const filled = query.replace(/\$(\w+)/g, (_, name: string) => book[name] ?? "");
    const { data, ...rest } = await listed(posthorn, filled);
    expect(names({ data }).sort()).toEqual([...found].sort());
    expect(rest).toEqual({ cursor: null, hasMore: false });
    const seen = data.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });

  test("goes through the pages of each filter without a gap or a repetition", async () => {
    for (const query of [
      "",
      "status=FAILED,BOUNCED,SENT",
      "search=i",
      "sourceType=TRANSACTIONAL",
      "until=2027-01-01T00:00:00Z",
    ]) {
      const whole = (await listed(posthorn, `${query}&limit=100`)).data.map(({ id }: Json) => id);
      expect(whole.length).toBeGreaterThan(3);
      const pieces: string[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: Json = await listed(posthorn, `${query}&limit=2${cursor && `&cursor=${cursor}`}`);
        expect(page.hasMore).toBe(page.cursor !== null);
        pieces.push(...page.data.map(({ id }: Json) => id));
        cursor = page.cursor;
      }
      expect(pieces).toEqual(whole);
    }
  });

  test("says which workflow has sent a mail", async () => {
    expect((await listed(posthorn, "sourceType=WORKFLOW")).data).toMatchObject([{ workflowId: book["workflow"] }]);
    expect((await listed(posthorn, `search=${book["sent"]}`)).data).toMatchObject([{ workflowId: null, held: null }]);
  });

  const refused: readonly [query: string, fields: Record<string, string>][] = [
    ["limit=0", { limit: "too_small" }],
    ["limit=101", { limit: "too_big" }],
    ["limit=5&page=2", { page: "conflict" }],
    ["search=x&page=1&pageSize=5", { page: "conflict", pageSize: "conflict" }],
    ["status=SENT,sent", { status: "invalid" }],
    ["status=SENT,SENT,SENT,SENT,SENT,SENT,SENT,SENT,SENT,SENT,SENT,SENT", { status: "too_big" }],
    ["held=yes", { held: "invalid_type" }],
    ["sourceType=SPAM", { sourceType: "invalid" }],
    ["domain=no_domain", { domain: "invalid" }],
    ["since=yesterday", { since: "invalid_date" }],
    ["until=2026-03-01", { until: "invalid_date" }],
    ["until=2026-02-30T09:00:00Z", { until: "invalid_date" }],
    ["search=", { search: "too_small" }],
    ["cursor=nonsense", { cursor: "invalid" }],
  ];
  scenarios(
    "is refused",
    refused.map(([query, fields]) => ({
      ...{
        name: `for ${query}`,
        request: `GET /emails?${query}`,
        status: 400,
        code: "INVALID_PARAMETERS" as const,
        fields,
      },
    })),
  );

  const UNKNOWN = "0199a3b4-0000-7000-8000-000000000000";
  test("is refused for a contact or a campaign that does not exist", async () => {
    for (const [query, code] of [
      [`contactId=${UNKNOWN}`, "CONTACT_NOT_FOUND"],
      [`campaignId=${UNKNOWN}`, "CAMPAIGN_NOT_FOUND"],
    ] as const)
      expect(await ask(posthorn, `GET /emails?${query}`)).toMatchObject({ status: 404, body: { error: { code } } });
  });
});

test("pages by cursor do not shift while mail arrives", async () => {
  await using own = await workspace();
  for (const name of ["a", "b", "c", "d"]) await send(own, { to: `${name}@example.com` });
  const first = await listed(own, "limit=2");
  expect([names(first), first.hasMore]).toEqual([["d", "c"], true]);
  await send(own, { to: "e@example.com" });
  const second = await listed(own, `limit=2&cursor=${first.cursor}`);
  expect([names(second), second.hasMore, second.cursor]).toEqual([["b", "a"], false, null]);
  expect(names(await listed(own, "limit=1"))).toEqual(["e"]);
});

test("a template or a workflow of another workspace has no mails here", async () => {
  const { secret } = await addWorkspace(posthorn, { name: "third", domain: "third.example" });
  for (const query of [`templateId=${book["template"]}`, `workflowId=${book["workflow"]}`]) {
    expect((await listed(posthorn, query)).data).not.toEqual([]);
    const { body } = await ask(posthorn, `GET /emails?${query}`, { key: { bearer: secret } });
    expect(body).toEqual({ data: [], cursor: null, hasMore: false });
  }
});

test("a list is of one workspace, whatever is looked for", async () => {
  await using own = await workspace();
  const { email, contact } = await send(own, {}, { "X-Request-Id": "order-17" });
  const { secret } = await addWorkspace(own, { name: "stranger", domain: "stranger.example" });
  for (const search of [email, `<${email}@example.test>`, "order-17", "ada@example.com", "Hi"]) {
    const { body } = await ask(own, `GET /emails?search=${encodeURIComponent(search)}`, { key: { bearer: secret } });
    expect([search, body.data]).toEqual([search, []]);
    expect((await listed(own, `search=${encodeURIComponent(search)}`)).data).toHaveLength(1);
  }
  const { status } = await ask(own, `GET /emails?contactId=${contact.id}`, { key: { bearer: secret } });
  expect(status).toBe(404);
});

test("mails of a paused campaign are held, and said to be (slow)", async () => {
  await using own = await workspace({ config: { delivery: { ratePerSecond: 1 } } });
  for (const name of ["a", "b", "c"]) await ask(own, "POST /contacts", { body: { email: `${name}@example.com` } });
  const campaign = { name: "News", subject: "N", body: "<p>N</p>", from: "news@example.test", audienceType: "ALL" };
  const { id } = (await ask(own, "POST /campaigns", { body: campaign })).body.data;
  own.transport.answer = () => ({ kind: "later", reply: "451 4.3.0 Try again" });
  await ask(own, `POST /campaigns/${id}/send`, { body: {} });
  await own.settle();
  await ask(own, `POST /campaigns/${id}/pause`, { body: {} });
  await own.settle();
  const { data } = await listed(own, "held=true");
  expect(data.length).toBeGreaterThan(0);
  for (const mail of data) expect(mail).toMatchObject({ status: "QUEUED", held: "CAMPAIGN_PAUSED", campaignId: id });
  expect((await listed(own, "held=false")).data).toEqual([]);
});

test("marketing mail that is stopped is held, and transactional mail is not", async () => {
  await using own = await workspace();
  const template = { name: "N", subject: "N", body: "<p>N</p>", type: "MARKETING", from: letter.from };
  const { id: templateId } = (await ask(own, "POST /templates", { body: template })).body;
  const later = { sendAt: "2026-03-02T09:00:00Z" };
  await send(own, { ...later, to: "m@example.com", template: templateId, subject: null, body: null, subscribed: true });
  await send(own, { ...later, to: "t@example.com" });
  expect(names(await listed(own, "held=false"))).toEqual(["t", "m"]);
  await own.store.write((tx) => tx.run`update workspaces set marketing_stopped = 'Too many bounces.'`);
  expect((await listed(own, "held=true")).data).toMatchObject([{ to: "m@example.com", held: "MARKETING_STOPPED" }]);
  expect(names(await listed(own, "held=false"))).toEqual(["t"]);
  const { contactId } = (await listed(own, "search=m@")).data[0];
  expect(names(await listed(own, `held=true&contactId=${contactId}`))).toEqual(["m"]);
  expect(names(await listed(own, `held=false&contactId=${contactId}`))).toEqual([]);
});

test("a mail to a former address of a contact is found by the contact's present one", async () => {
  await using own = await workspace();
  const { contact } = await send(own, { to: "old@example.com" });
  await ask(own, `PATCH /contacts/${contact.id}`, { body: { email: "new@example.com" } });
  expect(names(await listed(own, "search=new@"))).toEqual(["old"]);
});

describe("among a hundred thousand newer mails", () => {
  const NEWER = 102_000;
  let full: Posthorn;
  let seldom: Book;

  /** Copies of the newest mail, which no filter below is about. */
  async function bury(): Promise<void> {
    full.mailsAreMadeUp = true;
    await full.store.write(
      (tx) => tx.run`
        insert into emails (id, workspace, contact, content, source_type, status, lane, to_address, created_at)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < ${NEWER})
        select '019ca8b0-0000-7000-8000-' || i, e.workspace, e.contact, e.content, e.source_type, e.status, e.lane, e.to_address, e.created_at
        from emails e, n where e.seq = (select max(seq) from emails)`,
    );
  }

  beforeAll(async () => {
    full = await workspace();
    full.transport.answer = ({ envelope: { recipient } }) =>
      recipient.startsWith("bad") ? { kind: "failed", reply: "554 5.7.1 No" } : { kind: "accepted", reply: "250 Ok" };
    const template = { name: "T", subject: "Seldom", body: "<p>T</p>", type: "TRANSACTIONAL", from: letter.from };
    const { id: templateId } = (await ask(full, "POST /templates", { body: template })).body;
    await send(full, { to: "seldom@example.com", template: templateId, from: null, subject: null, body: null });
    for (const name of ["good", "bad"]) await ask(full, "POST /contacts", { body: { email: `${name}@example.com` } });
    const campaign = { name: "N", subject: "N", body: "<p>N</p>", from: letter.from, audienceType: "ALL" };
    const { id } = (await ask(full, "POST /campaigns", { body: campaign })).body.data;
    await ask(full, `POST /campaigns/${id}/send`, { body: {} });
    await full.settle();
    await send(full, { to: "usual@example.com" });
    await full.settle();
    await bury();
    seldom = { template: templateId, campaign: id };
  });
  afterAll(() => full[Symbol.asyncDispose]());

  test.each([
    ["templateId=$template", ["seldom"]],
    ["campaignId=$campaign&status=FAILED", ["bad"]],
    ["campaignId=$campaign&status=FAILED,BOUNCED&domain=example.test", ["bad"]],
    ["search=seldom@example.com", ["seldom"]],
    ["status=FAILED&sourceType=CAMPAIGN", ["bad"]],
  ] as const)("%s is found at once", async (query, found) => {
    const body = await listed(
      full,
      query.replace(/\$(\w+)/g, (_, name: string) => seldom[name] ?? ""),
    );
    expect([names(body), body.hasMore]).toEqual([[...found], false]);
  });

  test("a word that is in few subjects is found on a later page, and the pages before say that there are more", async () => {
    const first = await listed(full, "search=seldom&limit=5");
    expect([names(first), first.hasMore]).toEqual([[], true]);
    const second = await listed(full, `search=seldom&limit=5&cursor=${first.cursor}`);
    expect([names(second), second.hasMore, second.cursor]).toEqual([["seldom"], false, null]);
  });

  test.each(["status=QUEUED", "held=true", "status=QUEUED,SENDING,FAILED&since=2020-01-01T00:00:00Z"])(
    "%s of a campaign finds what waits behind all that it has sent (slow)",
    async (query) => {
      await full.store.write(async (tx) => {
        const campaign = sql`(select seq from campaigns where id = ${seldom["campaign"] ?? ""})`;
        await tx.run`update emails set campaign = ${campaign}, source_type = 'CAMPAIGN' where id like '019ca8b0-0000-7000-8000-%'`;
        await tx.run`
          update emails set status = 'QUEUED', lane = 1, hold = 'campaign', due_at = '2099-01-01T00:00:00.000Z'
          where campaign = ${campaign} and to_address = 'bad@example.com'`;
      });
      const body = await listed(full, `campaignId=${seldom["campaign"]}&${query}`);
      expect([names(body), body.hasMore]).toEqual([["bad"], false]);
    },
  );
});
