// What a condition means: the SQL that is made of it agrees with an evaluator written for this test alone, on any data.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { emit } from "../../src/tenant/events/emit.ts";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import { secretsOf } from "../../src/base/secrets.ts";
import { conditionSql, isTimeBound, segmentsIn, subjectsOf } from "../../src/audience/segments/condition/condition.ts";
import { COMPARISONS, type Comparison } from "../../src/audience/comparisons/comparison.ts";
import { holds as holdsInMemory } from "../../src/audience/comparisons/holds.ts";
import { contactsNumbered } from "../../src/programs/campaigns/audience-queries.ts";
import type { Contact } from "../../src/audience/contacts/queries.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { readCondition, type Condition, type ConditionGroup } from "../../src/audience/segments/condition/check.ts";
import { holdsAs } from "../../src/audience/segments/condition/verdicts.ts";
import { explain } from "../../src/audience/segments/explain.ts";
import { previewOf } from "../../src/audience/segments/preview.ts";
import { Sql } from "../../src/store/sql.ts";
import { createWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { Chance } from "../support/chance.ts";
import { TestClock } from "../support/clock.ts";
import { matches, type Person } from "../support/condition-evaluator.ts";
import { freshStore, type FreshStore } from "../support/store.ts";

const clock = new TestClock();
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let fresh: FreshStore;
let workspace: number;
let people: Person[];

const PLANS = [
  "pro",
  "Pro",
  "free",
  "",
  "7",
  "2026-02-27",
  "2026-02-31",
  "2026-03-03",
  "2026-02-28T10:00:00.000Z",
  "2026-02-28T10:00:00Z",
  "2026-02-28T11:00:00+01:00",
  "2026-02-27T20:30:00.250-05:30",
  "2026-02-31 00:30:00+02:00",
  "2026-02-28T11:00:00+01:99",
  "Ünïcode 💌",
  "it's",
];
const MOMENTS = [
  "2026-02-28T10:00:00Z",
  "2026-02-28T10:00:00.000Z",
  "2026-02-28T03:00:00-07:00",
  "2026-02-28T02:00:00.250Z",
];
const VALUES: readonly unknown[] = [
  ...PLANS,
  7,
  0,
  -1.5,
  1e21,
  41,
  true,
  false,
  null,
  ["pro"],
  { plan: "pro" },
  [],
  {},
];
const EVENTS = ["signup", "email.open", "order.paid"];
const TAGS = [["welcome"], ["Welcome", "plan:pro"], ["welcome-2", "plan:free"], []] as const;
const EQUALITY = ["equals", "notEquals"];
const ORDER = ["greaterThan", "lessThan", "greaterThanOrEqual", "lessThanOrEqual"];

beforeAll(async () => {
  fresh = await freshStore(clock);
  workspace = (await fresh.store.write((tx) => createWorkspace(tx, secretsOf(Buffer.alloc(32)), "one"))).seq;
  const chance = new Chance(11);
  people = [];
  clock.advance(-40 * DAY_MS);
  for (let n = 0; n < 150; n++) {
    people.push(await makePerson(chance, n));
    clock.advance(Math.floor(chance.next() * 0.5 * DAY_MS));
  }
});

afterAll(() => fresh.remove());

async function makePerson(chance: Chance, n: number): Promise<Person> {
  const data: Record<string, unknown> = {};
  for (const key of ["plan", "age", "näme", "a b"]) if (chance.next() < 0.7) data[key] = chance.of(VALUES);
  if (chance.next() < 0.6) data["deep"] = chance.of([{ plan: chance.of(VALUES) }, { "0": "zero" }, ["zero"], "text"]);
  const email = `${chance.of(["ada", "bob", "eve"])}.${n}@${chance.of(["example.com", "example.org"])}`;
  const input = { email, subscribed: chance.next() < 0.5, voice: KEY_VOICE, subscribedIfNew: true, data };
  const contact = await fresh.store.write(async (tx) => (await upsertContact(tx, workspace, input)).contact);
  const events: { name: string; at: string; tags?: readonly string[] }[] = [];
  while (chance.next() < 0.6) {
    clock.advance(MINUTE_MS * Math.floor(1 + chance.next() * 60));
    const name = chance.of(EVENTS);
    const tags = name === "email.open" ? { tags: chance.of(TAGS) } : {};
    await fresh.store.write((tx) => emit(tx, { workspace, name, contact: contact.seq, data: tags }));
    events.push({ name, at: new Date(clock.nowMs()).toISOString(), ...tags });
  }
  return {
    ...{ seq: contact.seq, email, subscribed: input.subscribed, status: "ACTIVE", events },
    data: contact.data,
    createdAt: contact.createdAt,
    updatedAt: contact.updatedAt,
  };
}

async function found(condition: Condition): Promise<number[]> {
  const rows = await fresh.store.read(
    (reader) => reader.all<{ seq: number }>`
      select c.seq from contacts c where c.workspace = ${workspace}
        and ${conditionSql(condition, { dialect: reader.dialect, nowMs: clock.nowMs() })} order by c.seq`,
  );
  return rows.map((row) => row.seq);
}

const expected = (condition: Condition) =>
  people.filter((person) => matches(person, condition, clock.nowMs())).map((person) => person.seq);

const of = (...filters: object[]) => readCondition({ groups: [{ filters }] });

const each = (fields: string[], operators: string[], values: readonly unknown[]) =>
  fields.flatMap((field) => operators.flatMap((operator) => values.map((value) => ({ field, operator, value }))));

const ago = (fields: string[], operator: string, value: number, unit: string) =>
  fields.map((field) => ({ field, operator, value, unit }));

const DATA = ["plan", "data.plan", "data.age", "data.deep.plan", "data.deep.0", "näme", "a b", "never"];
const TAGGED = ["welcome", "plan:pro", "plan", "never"].map((tag) => ({ field: "email.opened", tag }));
const TIMES = ["createdAt", "updatedAt"];
const HAPPENED = ["event.signup", "email.opened", "event.order.paid", "event.never"];

const FILTERS: readonly object[] = [
  ...each(["email"], [...EQUALITY, "contains", "notContains"], ["ada.3@example.com", "ADA", "@example.o", "."]),
  ...each(["subscribed"], EQUALITY, [true, false]),
  ...each(["status"], EQUALITY, ["ACTIVE", "PENDING"]),
  { field: "subscribed", value: true },
  ...each(TIMES, [...EQUALITY, ...ORDER], ["2026-02-20", "2026-02-01", "2026-02-20T10:00:00+02:00"]),
  ...ago(TIMES, "within", 7, "days"),
  ...ago(TIMES, "olderThan", 7.5, "days"),
  ...DATA.flatMap((field) => [
    { field, operator: "exists" },
    { field, operator: "notExists" },
  ]),
  ...ago(DATA, "within", 3, "days"),
  ...ago(DATA, "within", 20, "days"),
  ...ago(DATA, "olderThan", 5, "days"),
  ...each(DATA, ["contains", "notContains"], ["RO", "", "ï", "'"]),
  ...each(DATA, EQUALITY, [...PLANS, ...MOMENTS, 7, 0, -1.5, 1e21, true, false]),
  ...each(DATA, ORDER, ["pro", "free", "2026-02-28", "2026-02-31", ...MOMENTS, "", 7, -1.5]),
  ...HAPPENED.flatMap((field) => [
    { field, operator: "triggered" },
    { field, operator: "notTriggered" },
  ]),
  { field: "signup", operator: "triggered" },
  ...TAGGED.flatMap((filter) => [
    { ...filter, operator: "triggered" },
    { ...filter, operator: "notTriggered" },
    { ...filter, operator: "triggeredWithin", value: 12, unit: "days" },
    { ...filter, operator: "triggeredOlderThan", value: 12, unit: "days" },
    { ...filter, operator: "notTriggeredWithin", value: 12, unit: "days" },
  ]),
  ...ago(HAPPENED, "triggeredWithin", 300, "minutes"),
  ...ago(HAPPENED, "triggeredWithin", 12, "days"),
  ...ago(HAPPENED, "triggeredOlderThan", 12, "days"),
  ...ago(HAPPENED, "notTriggeredWithin", 200, "hours"),
];

test("each filter by itself finds whom it should", async () => {
  const wrong: unknown[] = [];
  for (const filter of FILTERS) {
    const condition = of(filter);
    const [those, wanted] = [await found(condition), expected(condition)];
    if (!Bun.deepEquals(those, wanted)) wrong.push([filter, { those, wanted }]);
  }
  expect(wrong).toEqual([]);
});

test("filters put together at random find whom they should", async () => {
  const chance = new Chance(5);
  const group = (depth: number): object => ({
    filters: Array.from({ length: 1 + Math.floor(chance.next() * 3) }, () => chance.of(FILTERS)),
    ...(depth < 3 && chance.next() < 0.4 ? { conditions: tree(depth + 1) } : {}),
  });
  const tree = (depth: number): object => ({
    ...(chance.next() < 0.8 ? { logic: chance.of(["AND", "OR"]) } : {}),
    groups: Array.from({ length: 1 + Math.floor(chance.next() * 3) }, () => group(depth)),
  });
  let hits = 0;
  for (let n = 0; n < 300; n++) {
    const condition = readCondition(tree(1));
    const those = await found(condition);
    expect([condition, those]).toEqual([condition, expected(condition)]);
    hits += those.length;
    await expectExplained(condition, those, chance);
    await expectCounted(condition, those);
  }
  expect(hits).toBeGreaterThan(1_000);
});

/** One person's explanation says of each filter and of the whole what the lists of all say. */
async function expectExplained(condition: Condition, those: readonly number[], chance: Chance): Promise<void> {
  const { seq } = chance.of(people);
  const asked = { workspace, nowMs: clock.nowMs() };
  const explained = await fresh.store.read(async (reader) => {
    const [contact] = await contactsNumbered(reader, [seq]);
    return explain(reader, condition, { ...asked, contact: contact as Contact });
  });
  expect([condition, explained.matches]).toEqual([condition, those.includes(seq)]);
  const verdicts = new Map(explained.filters.map(({ at, matches }) => [at, matches]));
  expect(holdsAs(condition, verdicts)).toBe(explained.matches);
  for (const { filter, matches, seen } of explained.filters) {
    expect([filter, matches]).toEqual([filter, (await found(of(filter))).includes(seq)]);
    if (filter.field.startsWith("data.") && (COMPARISONS as readonly string[]).includes(filter.operator))
      expect([filter, seen, matches]).toEqual([filter, seen, holdsInMemory(filter as Comparison, seen)]);
  }
}

/** What is left after each filter is what a condition of it and those before it finds. */
async function expectCounted(condition: Condition, those: readonly number[]): Promise<void> {
  const asked = { workspace, nowMs: clock.nowMs(), whom: { condition }, input: { perFilter: true, sample: 5 } };
  const preview = await fresh.store.read((reader) => previewOf(reader, fresh.store, asked));
  expect(preview).toMatchObject({ matched: those.length, approximate: false, contacts: people.length });
  expect(preview.sample?.map(({ seq }) => seq)).toEqual(those.toReversed().slice(0, 5));
  const after = (at: string) => preview.perFilter?.find((one) => one.at === at)?.remaining;
  const first = condition.groups[0] as ConditionGroup;
  for (const index of first.filters.keys()) {
    const before = await found({ logic: "AND", groups: [{ filters: first.filters.slice(0, index + 1) }] });
    expect(after(`groups.0.filters.${index}`)).toBe(before.length);
  }
  const left = condition.groups.map(async (_, index) => {
    const groups =
      condition.logic === "AND" ? condition.groups.slice(0, index + 1) : [condition.groups[index] as ConditionGroup];
    expect(after(`groups.${index}`)).toBe((await found({ logic: "AND", groups })).length);
  });
  await Promise.all(left);
}

test("values and names are bound, whatever they look like", async () => {
  const nasty = `'; drop table contacts; --`;
  const condition = of(
    { field: `data.${nasty}`, value: nasty },
    { field: `event.${nasty}`, operator: "triggered" },
    { field: `segment.${nasty}`, operator: "memberOf" },
  );
  expect(await found(condition)).toEqual([]);
  const made = await fresh.store.read(async ({ dialect }) => conditionSql(condition, { dialect, nowMs: 0 }));
  const texts = (part: Sql): string =>
    [...part.strings, ...part.values.map((value) => (value instanceof Sql ? texts(value) : ""))].join(" ");
  expect(texts(made)).toContain("segment_members");
  expect(texts(made)).not.toContain("drop table");
});

describe("what a condition depends on", () => {
  const condition = readCondition({
    groups: [
      {
        filters: [
          { field: "plan", value: "pro" },
          { field: "data.address.city", operator: "exists" },
        ],
      },
      {
        filters: [{ field: "email.opened", operator: "triggered", tag: "plan:pro" }],
        conditions: {
          logic: "OR",
          groups: [
            { filters: [{ field: "subscribed", value: true }] },
            { filters: [{ field: "createdAt", operator: "lessThan", value: "2026-01-01" }] },
            { filters: [{ field: "segment.abc", operator: "notMemberOf" }] },
            { filters: [{ field: "updatedAt", value: "2026-01-01" }] },
          ],
        },
      },
    ],
  });

  test("is what has to be watched", () => {
    expect(subjectsOf(condition, new Map([["abc", 7]])).sort()).toEqual([
      "contact:data.address",
      "contact:data.plan",
      "contact:new",
      "contact:subscribed",
      "contact:updatedAt",
      "event:email.open",
      "segment:7",
      "tagged:email.open:plan:pro",
    ]);
    expect(segmentsIn(condition)).toEqual(["abc"]);
  });

  test("is time as well where a filter counts it", () => {
    expect(isTimeBound(condition)).toBe(false);
    expect(isTimeBound(of({ field: "event.a", operator: "notTriggeredWithin", value: 1, unit: "hours" }))).toBe(true);
  });
});
