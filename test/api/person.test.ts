// One person as all rooms know them: the timeline, the summary, what is to come, and the export.
import { describe, expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { newId } from "../../src/base/ids.ts";
import { Caller, LETTER, signed, startHouse } from "../support/outside.ts";
import { FORM, formWith } from "../support/files.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { sendTracked, visit } from "../support/tracking.ts";
import { workspace } from "../support/workspace.ts";

const EMAIL = "ada@example.com";

async function made(posthorn: Posthorn, route: string, body: object): Promise<Json> {
  return (await ask(posthorn, route, { body })).body;
}

/** Each entry in a few words. */
function inWords(entry: Json): string {
  if (entry.type === "mail") return `mail ${entry.mail.subject} ${entry.mail.status}`;
  if (entry.type === "event") return `event ${entry.event.name}`;
  if (entry.type === "consent") return entry.consent.subscribed ? "subscribed" : "unsubscribed";
  if (entry.type === "workflow") return `workflow ${entry.execution.workflow.name} ${entry.execution.status}`;
  return `left out by ${entry.campaign.name}: ${entry.reason}`;
}

async function timeline(posthorn: Posthorn, id: string, query = ""): Promise<Json[]> {
  return (await ask(posthorn, `GET /contacts/${id}/timeline?limit=100&${query}`)).body.entries;
}

/** All pages. */
async function inPages(posthorn: Posthorn, id: string, query: string): Promise<Json[]> {
  const entries: Json[] = [];
  for (let cursor: string | null = null; ;) {
    const more = cursor === null ? "" : `&cursor=${cursor}`;
    const { body } = await ask(posthorn, `GET /contacts/${id}/timeline?${query}${more}`);
    entries.push(...body.entries);
    expect(body.hasMore).toBe(body.cursor !== null);
    cursor = body.cursor;
    if (cursor === null) return entries;
  }
}

/** A second between any two things. */
async function eventful(): Promise<{ posthorn: Posthorn; id: string; mail: string }> {
  const posthorn = await workspace({ tracking: true });
  const later = () => posthorn.clock.advance(1_000);
  const workflow = {
    name: "After a sign-up",
    eventName: "signup",
    enabled: true,
    steps: [{ type: "WAIT_FOR_EVENT", name: "Wait", config: { eventName: "paid", timeout: 259_200 } }],
  };
  await made(posthorn, "POST /workflows", workflow);
  const { id } = await made(posthorn, "POST /contacts", { email: EMAIL, data: { plan: "pro" } });
  later();
  await made(posthorn, "POST /v1/track", { email: EMAIL, event: "signup" });
  await posthorn.settle();
  later();
  const mail = await sendTracked(posthorn, '<p>Hi</p><a href="https://example.com/">There</a>');
  later();
  await visit(posthorn, mail.pixel);
  later();
  await visit(posthorn, mail.links[0] as string);
  await posthorn.settle();
  later();
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: false } });
  return { posthorn, id, mail: mail.id };
}

const ALL = [
  "unsubscribed",
  "event email.click",
  "event email.open",
  "mail Hi SENT",
  "workflow After a sign-up WAITING",
  "event signup",
];

test("a timeline has mails, events, workflows and changes of consent in one list, newest first (slow)", async () => {
  const { posthorn, id, mail } = await eventful();
  await using _ = posthorn;
  const entries = await timeline(posthorn, id);
  expect(entries.map(inWords)).toEqual(ALL);
  expect(entries.map(({ at }) => at)).toEqual(
    entries
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect(entries[2].event).toMatchObject({ emailId: mail, subject: "Hi" });
  expect(entries[3].mail).toMatchObject({ id: mail, opens: 1, clicks: 1, campaign: null, reason: null });
});

test("each kind has its own entries, and pages of any size have each entry once (slow)", async () => {
  const { posthorn, id } = await eventful();
  await using _ = posthorn;
  const kinds = { MAIL: [1, 2, 3], EVENT: [5], CONSENT: [0], WORKFLOW: [4] };
  for (const [kind, places] of Object.entries(kinds)) {
    const entries = await timeline(posthorn, id, `kind=${kind}`);
    expect([kind, entries.map(inWords)]).toEqual([kind, places.map((place) => ALL[place] as string)]);
  }
  for (const limit of [1, 2, 4]) {
    expect((await inPages(posthorn, id, `limit=${limit}`)).map(inWords)).toEqual(ALL);
    expect((await inPages(posthorn, id, `limit=${limit}&kind=MAIL`)).map(inWords)).toEqual(ALL.slice(1, 4));
  }
});

test("what is rare is found behind many other events, a bounded piece at a time (slow)", async () => {
  await using posthorn = await workspace();
  const { id } = await made(posthorn, "POST /contacts", { email: EMAIL });
  await made(posthorn, "POST /v1/track", { email: EMAIL, event: "first" });
  await posthorn.store.write(async (tx) => {
    const contact = await tx.get<{
      seq: number;
      workspace: number;
    }>`select seq, workspace from contacts where id = ${id}`;
    for (let n = 0; n < 5_100; n++)
      await tx.run`
        insert into events (id, workspace, name, contact, data, created_at)
        values (${newId(tx.nowMs)}, ${contact?.workspace ?? 0}, 'contact.subscribed', ${contact?.seq ?? 0}, ${tx.dialect.json("{}")}, ${tx.now})`;
  });
  const first = (await ask(posthorn, `GET /contacts/${id}/timeline?kind=EVENT`)).body;
  expect([first.entries, first.hasMore]).toEqual([[], true]);
  expect((await inPages(posthorn, id, "kind=EVENT")).map(inWords)).toEqual(["event first"]);
});

describe("a change of consent", () => {
  const lastConsent = async (posthorn: Posthorn, id: string) =>
    (await timeline(posthorn, id, "kind=CONSENT"))[0]?.consent;

  test("says who of the team made it", async () => {
    await using posthorn = await workspace();
    const eva = await somebody(posthorn, "SUPPORT");
    const { id } = await made(posthorn, "POST /contacts", { email: EMAIL });
    await eva.ask(`PATCH /contacts/${id}`, { body: { subscribed: false } });
    const change = { reason: null, by: null, via: null, emailId: null };
    expect(await lastConsent(posthorn, id)).toEqual({ ...change, subscribed: false, by: "SUPPORT" });
    posthorn.clock.advance(1_000);
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: true } });
    const via = { type: "key", name: null, at: null };
    expect(await lastConsent(posthorn, id)).toEqual({ ...change, subscribed: true, via });
  });

  test("says who of the team started the import or the bulk change that made it, and nobody for a program's", async () => {
    await using posthorn = await workspace();
    const eva = await somebody(posthorn, "ADMIN");
    const { id } = await made(posthorn, "POST /contacts", { email: EMAIL });
    const change = { subscribed: false, reason: null, by: "ADMIN", emailId: null };
    const bulk = () => ({ type: "bulk", name: null, at: new Date(posthorn.clock.nowMs() - 1_000).toISOString() });
    await eva.ask("POST /contacts/bulk-unsubscribe", { body: { contactIds: [id] } });
    // The job runs at a later moment than the call.
    posthorn.clock.advance(1_000);
    await posthorn.settle();
    expect(await lastConsent(posthorn, id)).toEqual({ ...change, via: bulk() });
    posthorn.clock.advance(1_000);
    const body = formWith(`email,subscribed\n${EMAIL},true\n`);
    await eva.ask("POST /contacts/import?resubscribe=true", { body, headers: FORM });
    posthorn.clock.advance(1_000);
    await posthorn.settle();
    expect(await lastConsent(posthorn, id)).toEqual({
      ...change,
      subscribed: true,
      via: { ...bulk(), type: "import", name: "contacts.csv" },
    });
    posthorn.clock.advance(1_000);
    await ask(posthorn, "POST /contacts/bulk-unsubscribe", { body: { contactIds: [id] } });
    posthorn.clock.advance(1_000);
    await posthorn.settle();
    expect(await lastConsent(posthorn, id)).toEqual({ ...change, by: null, via: bulk() });
  });

  test("names the mail by whose link the person unsubscribed", async () => {
    await using posthorn = await workspace();
    const { id } = await made(posthorn, "POST /contacts", { email: EMAIL });
    const { data } = await made(posthorn, "POST /v1/send", {
      to: EMAIL,
      from: "shop@example.test",
      subject: "Hi",
      body: "<p>Hi</p>",
    });
    const emailId = data.emails[0].email;
    await posthorn.settle();
    const { unsubscribeUrl } = linksFor(posthorn.secrets, "", { contactId: id, emailId });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    await ask(posthorn, `POST ${unsubscribeUrl}`, { key: "none", body: "List-Unsubscribe=One-Click", headers: form });
    expect(await lastConsent(posthorn, id)).toEqual({
      ...{ subscribed: false, reason: null, by: null, emailId },
      via: { type: "page", name: null, at: null },
    });
  });

  test("says that the mailbox does not exist", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 no such user" });
    const { id } = await made(posthorn, "POST /contacts", { email: EMAIL });
    await made(posthorn, "POST /v1/send", { to: EMAIL, from: "shop@example.test", subject: "Hi", body: "<p>Hi</p>" });
    await posthorn.settle();
    expect(await lastConsent(posthorn, id)).toMatchObject({ subscribed: false, reason: "bounce" });
    expect((await ask(posthorn, `GET /contacts/${id}`)).body.suppressed).toBe("bounce");
  });
});

test("a timeline has what the person wrote, and campaigns that left the person out (slow)", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  using caller = new Caller(port);
  await caller.open();
  await caller.say(Buffer.concat([await signed(LETTER), Buffer.from("\r\n.\r\n")]));
  await posthorn.settle();
  const { id } = (await ask(posthorn, "GET /contacts/by-email/ada@elsewhere.test")).body;
  const news = { name: "News", subject: "News", body: "<p>News</p>", from: "shop@example.test", audienceType: "ALL" };
  const campaign = (await made(posthorn, "POST /campaigns", news)).data.id;
  await posthorn.store.write(async (tx) => {
    await tx.run`update campaigns set started_at = ${tx.now} where id = ${campaign}`;
    await tx.run`
      insert into recipients (campaign, contact, reason)
      select k.seq, c.seq, 'unsubscribed' from campaigns k, contacts c where k.id = ${campaign} and c.id = ${id}`;
  });
  const words = (await timeline(posthorn, id)).map(inWords);
  expect(words.toSorted()).toEqual(["left out by News: unsubscribed", "mail Hello RECEIVED"]);
  expect((await inPages(posthorn, id, "limit=1")).map(inWords)).toEqual(words);
  expect((await ask(posthorn, `GET /contacts/${id}/summary`)).body.mails).toMatchObject({ total: 0, received: 1 });
});

test("a summary counts mails so that the sum closes, and names segments and former addresses", async () => {
  const { posthorn, id } = await eventful();
  await using _ = posthorn;
  await made(posthorn, "POST /segments", {
    name: "Pro",
    condition: { groups: [{ filters: [{ field: "plan", value: "pro" }] }] },
  });
  const friends = await made(posthorn, "POST /segments", { name: "Friends", type: "STATIC" });
  await made(posthorn, `POST /segments/${friends.id}/members`, { emails: [EMAIL] });
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: "ada@example.org" } });
  await posthorn.settle();
  const { body } = await ask(posthorn, `GET /contacts/${id}/summary`);
  const { total, received, opened, clicked, ...states } = body.mails;
  expect([total, opened, clicked, received]).toEqual([1, 1, 1, 0]);
  expect(Object.values(states as Record<string, number>).reduce((sum, count) => sum + count)).toBe(total);
  expect(body.segments.map(({ name }: Json) => name).toSorted()).toEqual(["Friends", "Pro"]);
  expect(body.formerEmails).toEqual([EMAIL]);
});

test("what is to come: scheduled campaigns for the person, why one would send nothing, and workflows under way", async () => {
  const { posthorn, id } = await eventful();
  await using _ = posthorn;
  const news = { subject: "News", body: "<p>News</p>", from: "shop@example.test" };
  const planned = async (name: string, audience: object) => {
    const campaign = (await made(posthorn, "POST /campaigns", { ...news, name, ...audience })).data.id;
    await ask(posthorn, `POST /campaigns/${campaign}/send`, { body: { scheduledFor: "2026-03-09T09:00:00Z" } });
  };
  await made(posthorn, "POST /contacts", { email: "bob@example.com", data: { plan: "free" } });
  const of = (plan: string) => ({
    audienceType: "FILTERED",
    audienceCondition: { groups: [{ filters: [{ field: "plan", value: plan }] }] },
  });
  await planned("To all", { audienceType: "ALL" });
  await planned("To free", of("free"));
  const upcoming = async () => (await ask(posthorn, `GET /contacts/${id}/upcoming`)).body;
  const { campaigns, executions } = await upcoming();
  expect(campaigns).toEqual([
    { id: expect.any(String), name: "To all", scheduledFor: "2026-03-09T09:00:00.000Z", excluded: "unsubscribed" },
  ]);
  expect(executions).toMatchObject([{ status: "WAITING", waitingFor: "paid", workflow: { name: "After a sign-up" } }]);
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: true } });
  expect((await upcoming()).campaigns[0].excluded).toBe(null);
});

describe("a campaign says `suppressed` of a person", () => {
  const news = { name: "News", subject: "News", body: "<p>News</p>", from: "shop@example.test", audienceType: "ALL" };

  test.each([
    ["whose domain is suppressed", { domain: "example.com" }],
    ["whose address was suppressed by hand", { address: EMAIL }],
  ])("%s, who is still subscribed", async (_, suppression) => {
    await using posthorn = await workspace();
    const { id } = await made(posthorn, "POST /contacts", { email: EMAIL });
    await made(posthorn, "POST /contacts", { email: "bob@example.org" });
    const { id: by } = await made(posthorn, "POST /suppressions", suppression);
    posthorn.clock.advance(1_000);
    const sent = (await made(posthorn, "POST /campaigns", news)).data.id;
    await ask(posthorn, `POST /campaigns/${sent}/send`);
    await posthorn.settle();
    const planned = (await made(posthorn, "POST /campaigns", { ...news, name: "Later" })).data.id;
    await ask(posthorn, `POST /campaigns/${planned}/send`, { body: { scheduledFor: "2026-03-09T09:00:00Z" } });
    const upcoming = async () =>
      (await ask(posthorn, `GET /contacts/${id}/upcoming`)).body.campaigns.map(({ excluded }: Json) => excluded);
    expect(await upcoming()).toEqual(["suppressed"]);
    expect((await timeline(posthorn, id)).map(inWords)).toEqual(["left out by News: suppressed"]);
    const [entry] = await timeline(posthorn, id, "kind=CAMPAIGN");
    expect(entry).toMatchObject({ campaign: { name: "News" }, state: "LEFT_OUT", reason: "suppressed" });
    await ask(posthorn, `DELETE /suppressions/${by}`);
    expect(await upcoming()).toEqual([null]);
  });

  test("only from its suppression on", async () => {
    await using posthorn = await workspace();
    const segment = await made(posthorn, "POST /segments", { name: "Others", type: "STATIC" });
    await made(posthorn, "POST /contacts", { email: "bob@example.org" });
    await made(posthorn, `POST /segments/${segment.id}/members`, { emails: ["bob@example.org"] });
    const { id } = await made(posthorn, "POST /contacts", { email: EMAIL });
    posthorn.clock.advance(1_000);
    const others = { ...news, audienceType: "SEGMENT", segmentId: segment.id };
    const sent = (await made(posthorn, "POST /campaigns", others)).data.id;
    await ask(posthorn, `POST /campaigns/${sent}/send`);
    await posthorn.settle();
    posthorn.clock.advance(1_000);
    await made(posthorn, "POST /suppressions", { domain: "example.com" });
    const [entry] = await timeline(posthorn, id, "kind=CAMPAIGN");
    expect(entry).toMatchObject({ state: "LEFT_OUT", reason: "notInAudience" });
  });
});

test("the export has all of it, with what the mails say (slow)", async () => {
  const { posthorn, id } = await eventful();
  await using _ = posthorn;
  const { body, headers } = await ask(posthorn, `GET /contacts/${id}/export`);
  expect(headers.get("content-disposition")).toBe(`attachment; filename="contact-${id}.json"`);
  expect(body).toMatchObject({
    contact: { email: EMAIL, data: { plan: "pro" } },
    formerEmails: [],
    segments: [],
    executions: [
      { workflow: { name: "After a sign-up" }, context: expect.any(Object), steps: [{ status: "WAITING" }] },
    ],
    excludedBy: [],
  });
  expect(body.mails.map(({ subject, content }: Json) => [subject, content.html.includes("There")])).toEqual([
    ["Hi", true],
  ]);
  expect(body.events.map(({ name }: Json) => name).toReversed()).toEqual(
    (await posthorn.eventNames()).filter((name) => name !== "x"),
  );
});

test("the export of somebody without a history is a whole file", async () => {
  await using posthorn = await workspace();
  const { id } = await made(posthorn, "POST /contacts", { email: EMAIL });
  const { body } = await ask(posthorn, `GET /contacts/${id}/export`);
  expect(body).toMatchObject({ contact: { id }, mails: [], events: [], executions: [], excludedBy: [] });
});

test("an address leads to its contact, however it is written", async () => {
  await using posthorn = await workspace();
  const { _meta, ...contact } = await made(posthorn, "POST /contacts", { email: "a+b/c@example.com" });
  expect((await ask(posthorn, `GET /contacts/by-email/${encodeURIComponent("A+B/C@Example.com")}`)).body).toEqual(
    contact,
  );
});

const unknown = "0199a3b4-0000-7000-8000-000000000000";
scenarios("a person is", [
  ...["", "/timeline", "/summary", "/upcoming", "/export"].map((of) => ({
    name: `not found by an id that nobody has${of}`,
    request: `GET /contacts/${unknown}${of}`,
    status: 404,
    code: "CONTACT_NOT_FOUND" as const,
  })),
  ...["nobody@example.com", "no-address", "%25ff@x"].map((address) => ({
    name: `not found by ${address}`,
    request: `GET /contacts/by-email/${address}`,
    status: 404,
    code: "CONTACT_NOT_FOUND" as const,
  })),
]);

test.each(["x", "WyJ0aW1lbGluZS5BTEwiLCJbMV0iXQ", btoa(JSON.stringify(["timeline.ALL", '["x",1,2,3]']))])(
  "the cursor %s of no timeline is refused",
  async (cursor) => {
    await using posthorn = await workspace();
    const { id } = await made(posthorn, "POST /contacts", { email: EMAIL });
    const { status, body } = await ask(posthorn, `GET /contacts/${id}/timeline?cursor=${cursor}`);
    expect([status, body.error.errors[0].field]).toEqual([400, "cursor"]);
  },
);

describe("a list of people", () => {
  async function crowd(): Promise<Posthorn> {
    const posthorn = await workspace();
    await made(posthorn, "POST /contacts", { email: "yes@a.example" });
    await made(posthorn, "POST /contacts", { email: "no@a.example", subscribed: false });
    await made(posthorn, "POST /contacts", { email: "asked@a.example", doubleOptIn: true });
    await made(posthorn, "POST /contacts", { email: "gone@a.example" });
    await posthorn.settle();
    posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 no such user" });
    const mail = { from: "shop@example.test", subject: "Hi", body: "<p>Hi</p>" };
    await made(posthorn, "POST /v1/send", { ...mail, to: "gone@a.example" });
    await posthorn.settle();
    return posthorn;
  }
  const named = ({ data }: Json) => data.map(({ email }: Json) => email.split("@")[0]);

  test("is in parts by what mail people get, and the parts are all of it", async () => {
    await using posthorn = await crowd();
    const lists = { SUBSCRIBED: ["yes"], UNSUBSCRIBED: ["no"], PENDING: ["asked"], SUPPRESSED: ["gone"] };
    const all = (await ask(posthorn, "GET /contacts")).body;
    expect(all.total).toBe(Object.keys(lists).length);
    for (const [status, names] of Object.entries(lists))
      for (const more of ["", "&sort=email", "&search=a.example", "&since=2026-03-01"]) {
        const { body } = await ask(posthorn, `GET /contacts?status=${status}${more}`);
        expect([status, more, named(body), body.total]).toEqual([status, more, names, 1]);
      }
    expect(named((await ask(posthorn, "GET /contacts?status=SUBSCRIBED&subscribed=false")).body)).toEqual([]);
    expect((await ask(posthorn, "GET /contacts/export?status=PENDING")).body).toContain("asked@a.example");
    expect((await ask(posthorn, "GET /contacts/export?status=PENDING")).body).not.toContain("yes@a.example");
  });

  test("has those who came since a moment", async () => {
    await using posthorn = await crowd();
    posthorn.clock.advance(60_000);
    const moment = new Date(posthorn.clock.nowMs()).toISOString();
    await made(posthorn, "POST /contacts", { email: "new@a.example" });
    const { body } = await ask(posthorn, `GET /contacts?since=${moment}`);
    expect([named(body), body.total]).toEqual([["new"], 1]);
    posthorn.clock.advance(60_000);
    const later = new Date(posthorn.clock.nowMs()).toISOString();
    expect((await ask(posthorn, `GET /contacts?since=${later}`)).body.total).toBe(0);
    expect((await ask(posthorn, "GET /contacts?since=soon")).status).toBe(400);
  });

  test("has the members of a segment, a page at a time", async () => {
    await using posthorn = await crowd();
    const condition = { groups: [{ filters: [{ field: "email", operator: "contains", value: "o" }] }] };
    const { id } = await made(posthorn, "POST /segments", { name: "With an o", condition });
    await posthorn.settle();
    const first = (await ask(posthorn, `GET /contacts?segmentId=${id}&limit=1`)).body;
    expect([named(first), first.total]).toEqual([["gone"], 2]);
    const next = (await ask(posthorn, `GET /contacts?segmentId=${id}&limit=1&cursor=${first.cursor}`)).body;
    expect([named(next), next.cursor]).toEqual([["no"], null]);
    expect(named((await ask(posthorn, `GET /contacts?segmentId=${id}&search=gone`)).body)).toEqual(["gone"]);
    for (const query of ["sort=email", "dir=asc", "status=UNSUBSCRIBED", "status=SUPPRESSED&sort=email&dir=desc"]) {
      const { body } = await ask(posthorn, `GET /contacts?segmentId=${id}&${query}`);
      const names = query.includes("UNSUB") ? ["no"] : query.includes("SUPP") ? ["gone"] : ["no", "gone"];
      expect([query, named(body).toSorted(), body.total]).toEqual([query, names.toSorted(), names.length]);
    }
    // While the contacts still match by their condition alone.
    await made(posthorn, "POST /contacts", { email: "olga@a.example" });
    expect(named((await ask(posthorn, `GET /contacts?segmentId=${id}&dir=asc`)).body)).toEqual(["no", "gone", "olga"]);
    expect((await ask(posthorn, `GET /contacts?segmentId=${unknown}`)).status).toBe(404);
  });

  test("can be changed as a whole", async () => {
    await using posthorn = await crowd();
    const filter = { status: "SUBSCRIBED", since: "2026-03-01T00:00:00Z" };
    const { jobId } = await made(posthorn, "POST /contacts/bulk-unsubscribe", { filter });
    await posthorn.settle();
    expect((await ask(posthorn, `GET /contacts/bulk/${jobId}`)).body.result.successCount).toBe(1);
    const refused = await ask(posthorn, "POST /contacts/bulk-unsubscribe", { body: { filter: { since: "soon" } } });
    expect([refused.status, refused.body.error.errors[0].field]).toEqual([422, "filter.since"]);
  });
});
