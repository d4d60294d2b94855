// Questions about conditions: whom one would find, and why somebody is or is not in a segment.
import { expect, test } from "bun:test";
import { DAY_MS } from "../../src/base/clock.ts";
import { readCondition } from "../../src/audience/segments/condition/check.ts";
import { previewOf } from "../../src/audience/segments/preview.ts";
import { allWorkspaces } from "../../src/tenant/workspaces/queries.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, refusedFields } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const filter = (field: string, operator: string, value?: unknown, unit?: string) => ({ field, operator, value, unit });
const PRO = filter("data.plan", "equals", "pro");
const GERMAN = filter("data.country", "equals", "DE");
const JOINED = filter("event.group.joined", "triggeredWithin", 365, "days");
const CONDITION = {
  groups: [{ filters: [PRO], conditions: { logic: "OR", groups: [{ filters: [GERMAN] }, { filters: [JOINED] }] } }],
};

const PEOPLE: readonly (readonly [name: string, data: object])[] = [
  ["ada", { plan: "pro", country: "DE", name: "Ada" }],
  ["bob", { plan: "pro", country: "FR", name: "" }],
  ["cyd", { plan: "pro", country: "DE" }],
  ["dee", { plan: "pro" }],
  ["eve", { plan: "free", country: "DE", name: "Eve" }],
];

async function shop(): Promise<Posthorn> {
  const posthorn = await workspace();
  for (const [name, data] of PEOPLE)
    await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, data } });
  for (const name of ["bob", "cyd"])
    await ask(posthorn, "POST /v1/track", { body: { email: `${name}@example.com`, event: "group.joined" } });
  await ask(posthorn, "POST /contacts", { body: { email: "cyd@example.com", subscribed: false } });
  return posthorn;
}

const preview = (posthorn: Posthorn, body: object) => ask(posthorn, "POST /segments/preview", { body });
const explain = (posthorn: Posthorn, body: object) => ask(posthorn, "POST /segments/explain", { body });

const FALL = [
  { at: "groups.0.filters.0", remaining: 4 },
  { at: "groups.0.conditions.groups.0.filters.0", remaining: 2 },
  { at: "groups.0.conditions.groups.0", remaining: 2 },
  { at: "groups.0.conditions.groups.1.filters.0", remaining: 2 },
  { at: "groups.0.conditions.groups.1", remaining: 2 },
  { at: "groups.0.conditions", remaining: 3 },
  { at: "groups.0", remaining: 3 },
];

test("a preview counts whom a condition finds, how the number falls, and who lacks what; the audience of a campaign the same (slow)", async () => {
  await using posthorn = await shop();
  const parts = { perFilter: true, missing: ["name", "plan", "email"], sample: 2 };
  const { status, body } = await preview(posthorn, { condition: CONDITION, ...parts });
  const { sample, ...counts } = body;
  expect([status, counts]).toEqual([
    200,
    {
      ...{ matched: 3, willReceive: 2, excluded: { unsubscribed: 1, pending: 0, suppressed: 0, topic: 0, paused: 0 } },
      ...{ approximate: false, contacts: 5, perFilter: FALL },
      missing: [
        { name: "name", contacts: 2 },
        { name: "plan", contacts: 0 },
        { name: "email", contacts: 0 },
      ],
    },
  ]);
  expect(sample.map(({ email }: Json) => email)).toEqual(["cyd@example.com", "bob@example.com"]);
  const audience = { audienceType: "FILTERED", audienceCondition: CONDITION, ...parts };
  const ofCampaign = await ask(posthorn, "POST /campaigns/audience-preview", { body: audience });
  expect(ofCampaign.body.data).toEqual(body);
  const everybody = { audienceType: "ALL", perFilter: true, missing: ["name"], sample: 1 };
  const { data } = (await ask(posthorn, "POST /campaigns/audience-preview", { body: everybody })).body;
  expect(data).toMatchObject({ matched: 5, perFilter: [], missing: [{ name: "name", contacts: 3 }] });
  expect(data.sample).toHaveLength(1);
});

test("a preview without parts answers numbers alone, and refuses what it cannot read", async () => {
  await using posthorn = await shop();
  const { body } = await preview(posthorn, { condition: { groups: [{ filters: [PRO] }] } });
  expect(Object.keys(body).sort()).toEqual(["approximate", "contacts", "excluded", "matched", "willReceive"]);
  const faulty = { condition: { groups: [{ filters: [filter("data.plan", "triggered")] }] } };
  expect(refusedFields(await preview(posthorn, faulty))).toEqual({
    "condition.groups.0.filters.0.operator": "unfit_operator",
  });
  expect(refusedFields(await preview(posthorn, { condition: CONDITION, missing: ["a..b"] }))).toEqual({
    "missing.0": "invalid",
  });
  expect((await preview(posthorn, { condition: CONDITION, sample: 21 })).status).toBe(422);
});

test("where all would take too long, a sample is answered as about so many, and still adds up (slow)", async () => {
  await using posthorn = await startPosthorn();
  const many = 2_000;
  await ask(posthorn, "POST /contacts", { body: { email: "reader0@example.com", subscribed: false } });
  await posthorn.store.write(async (tx) => {
    await tx.run`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${many - 1})
      insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
      select concat('contact-', n), c.workspace, concat('reader', n, '@example.com'), n % 2, c.data, c.created_at, c.updated_at
      from numbers join contacts c on c.seq > 0`;
    await tx.run`update contact_counts set total = ${many}, subscribed = ${many / 2}`;
  });
  const [workspace] = await posthorn.store.read(allWorkspaces);
  const filters = Array.from({ length: 99 }, (_, n) => filter("email", "notContains", `nobody${n}`));
  const condition = readCondition({ groups: [{ filters: [...filters, filter("email", "contains", "reader")] }] });
  const asked = {
    workspace: workspace?.seq ?? 0,
    nowMs: 0,
    whom: { condition },
    input: { perFilter: true, sample: 3 },
  };
  let ms = 0;
  const slow = { clock: { ...posthorn.clock, monotonicMs: () => (ms += 200) } as typeof posthorn.clock };
  const about = await posthorn.store.read((reader) => previewOf(reader, slow, asked));
  expect(about).toMatchObject({ approximate: true, contacts: many, matched: many });
  expect(about.willReceive + about.excluded.unsubscribed).toBe(many);
  expect(about.perFilter?.at(-1)?.remaining).toBe(many);
  // Whoever is in turn, every second one here, is not chosen in turn.
  expect(Math.abs(about.willReceive - many / 2)).toBeLessThan(many / 20);
  expect(about.sample).toHaveLength(3);
  const exact = await posthorn.store.read((reader) => previewOf(reader, posthorn.store, asked));
  expect(exact).toMatchObject({ approximate: false, matched: many, willReceive: many / 2 });
});

test("an explanation says of each filter whether it holds, what it saw, and when time will change that", async () => {
  await using posthorn = await shop();
  const joinedAt = new Date(posthorn.clock.nowMs()).toISOString();
  posthorn.clock.advance(10 * DAY_MS);
  const { status, body } = await explain(posthorn, { condition: CONDITION, email: "Bob@Example.com" });
  const endsAt = new Date(Date.parse(joinedAt) + 365 * DAY_MS + 1).toISOString();
  expect([status, body]).toEqual([
    200,
    {
      contact: { id: expect.any(String), email: "bob@example.com" },
      ...{ matches: true, changesAt: endsAt, condition: expect.objectContaining({ logic: "AND" }) },
      filters: [
        { ...seen("groups.0.filters.0", true, "pro"), filter: PRO_FILTER },
        { ...seen("groups.0.conditions.groups.0.filters.0", false, "FR"), filter: expect.anything() },
        {
          ...seen("groups.0.conditions.groups.1.filters.0", true, joinedAt),
          ...{ filter: expect.anything(), changesAt: endsAt },
        },
      ],
      groups: [
        { at: "groups.0", matches: true },
        { at: "groups.0.conditions", matches: true },
        { at: "groups.0.conditions.groups.0", matches: false },
        { at: "groups.0.conditions.groups.1", matches: true },
      ],
    },
  ]);
  const dee = (await explain(posthorn, { condition: CONDITION, email: "dee@example.com" })).body;
  expect([dee.matches, dee.changesAt, dee.filters.map(({ seen }: Json) => seen)]).toEqual([
    false,
    null,
    ["pro", null, null],
  ]);
  posthorn.clock.advance(365 * DAY_MS);
  const later = (await explain(posthorn, { condition: CONDITION, email: "bob@example.com" })).body;
  expect([later.matches, later.changesAt]).toEqual([false, null]);
});

const PRO_FILTER = { field: "data.plan", operator: "equals", value: "pro" };
const seen = (at: string, matches: boolean, value: unknown) => ({
  ...{ at, matches, seen: value },
  ...{ emailId: null, changesAt: null },
});

test("events of emails count by a tag, in segments, audiences and explanations", async () => {
  await using posthorn = await workspace();
  const sent = (to: string, tags: readonly string[]) =>
    ask(posthorn, "POST /v1/send", { body: { to, subject: "Hi", body: "Hi", from: letter.from, tags } });
  const [first] = (await sent("ada@example.com", ["welcome"])).body.data.emails;
  await sent("bob@example.com", ["Welcome", "welcome-2"]);
  await posthorn.settle();
  posthorn.clock.advance(DAY_MS);
  await sent("ada@example.com", ["news"]);
  await posthorn.settle();
  const welcomed = { field: "email.sent", operator: "triggered", tag: "welcome" };
  const condition = { groups: [{ filters: [welcomed] }] };
  const { body: segment } = await ask(posthorn, "POST /segments", { body: { name: "Welcomed", condition } });
  expect(segment.condition.groups).toEqual(condition.groups);
  const members = async () =>
    (await ask(posthorn, `GET /segments/${segment.id}/contacts`)).body.data.map(({ email }: Json) => email);
  expect(await members()).toEqual(["ada@example.com"]);
  const { body } = await explain(posthorn, { segmentId: segment.id, email: "ada@example.com" });
  expect(body.filters).toMatchObject([{ matches: true, seen: "2026-03-01T09:00:00.000Z", emailId: first.email }]);
  await sent("cyd@example.com", ["welcome"]);
  await posthorn.settle();
  expect(await members()).toEqual(["cyd@example.com", "ada@example.com"]);
  const { body: campaign } = await ask(posthorn, "POST /campaigns", {
    body: {
      ...{ name: "News", subject: "News", body: "<p>News</p>", from: letter.from },
      ...{ audienceType: "FILTERED", audienceCondition: condition },
    },
  });
  expect(campaign.data.audienceCondition.groups).toEqual(condition.groups);
  expect((await preview(posthorn, { condition })).body.matched).toBe(2);
});

test("an explanation of a segment takes its condition; whoever was added by hand needs no reason", async () => {
  await using posthorn = await shop();
  const made = (await ask(posthorn, "POST /segments", { body: { name: "Pro", condition: CONDITION } })).body.id;
  const list = (await ask(posthorn, "POST /segments", { body: { name: "Friends", type: "STATIC" } })).body.id;
  await ask(posthorn, `POST /segments/${list}/members`, { body: { emails: ["eve@example.com"] } });
  const of = async (segmentId: string, email: string) => (await explain(posthorn, { segmentId, email })).body;
  expect((await of(made, "eve@example.com")).matches).toBe(false);
  expect((await of(made, "ada@example.com")).matches).toBe(true);
  expect(await of(list, "eve@example.com")).toMatchObject({ matches: true, condition: null, filters: [], groups: [] });
  expect((await of(list, "ada@example.com")).matches).toBe(false);
  const inIt = { groups: [{ filters: [filter(`segment.${list}`, "notMemberOf")] }] };
  const { filters } = (await explain(posthorn, { condition: inIt, email: "eve@example.com" })).body;
  expect(filters).toMatchObject([{ matches: false, seen: true }]);
  expect((await of(made, "nobody@example.com")).error.code).toBe("CONTACT_NOT_FOUND");
});

test("an explanation wants one condition and one person, and shows no more of a value than is read", async () => {
  await using posthorn = await shop();
  const email = "ada@example.com";
  expect(refusedFields(await explain(posthorn, { email }))).toEqual({ condition: "required" });
  expect(refusedFields(await explain(posthorn, { email, condition: CONDITION, segmentId: "x" }))).toEqual({
    condition: "invalid",
  });
  expect(refusedFields(await explain(posthorn, { condition: CONDITION }))).toEqual({ contactId: "required" });
  await ask(posthorn, "POST /contacts", { body: { email, data: { note: "long ".repeat(1_000) } } });
  const condition = { groups: [{ filters: [filter("data.note", "exists")] }] };
  const [note] = (await explain(posthorn, { condition, email })).body.filters;
  expect(note.seen).toHaveLength(1_001);
});
