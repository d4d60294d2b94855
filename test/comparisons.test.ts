// What operators mean for values in data: SQL on the store, workflow conditions and an evaluator of this test agree.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { upsertContact } from "../src/audience/contacts/upsert.ts";
import { KEY_VOICE } from "../src/audience/contacts/voices.ts";
import { secretsOf } from "../src/base/secrets.ts";
import { conditionSql } from "../src/audience/segments/condition/condition.ts";
import { readCondition } from "../src/audience/segments/condition/check.ts";
import { joined, sql, Sql } from "../src/store/sql.ts";
import { decide } from "../src/programs/workflows/execution/steps/execution-context.ts";
import { createWorkspace } from "../src/tenant/workspaces/workspace.ts";
import { Chance } from "./support/chance.ts";
import { TestClock } from "./support/clock.ts";
import { dataFits } from "./support/condition-evaluator.ts";
import { freshStore, type FreshStore } from "./support/store.ts";

type Asked = { readonly operator: "equals"; readonly value?: unknown };

const clock = new TestClock();
let fresh: FreshStore;
let workspaces = 0;

beforeAll(async () => {
  fresh = await freshStore(clock);
});
afterAll(() => fresh.remove());

const ORDER = ["greaterThan", "lessThan", "greaterThanOrEqual", "lessThanOrEqual"];

const STORED_DATES = [
  "2026-03-01",
  "2026-03-01T00:00Z",
  "2026-03-01T00:00:00.000Z",
  "2026-03-01T10:00:00.000Z",
  "2026-03-01t10:00:00z",
  "2026-03-01 10:00",
  "2026-03-01T12:00+0200",
  "2026-03-01T12:00:00.000000000+02",
  "2026-03-01T05:00:00,5-05:00",
  "2026-03-01T10:00:00.000001Z",
  "2026-03-01T24:00:00Z",
  "2026-03-01T23:59:59.999-0330",
  "2026-02-31",
  "2026-03-01 or so",
  "2026-03-01T25:00:00Z",
];

const FILTER_DATES = [
  "2026-03-01",
  "2026-03-02",
  "2026-02-28",
  "2026-02-31",
  "2026-03-01T10:00Z",
  "2026-03-01T10:00:00Z",
  "2026-03-01T10:00:00.000Z",
  "2026-03-01T12:00:00+02:00",
  "2026-03-01 12:00:00.000+0200",
  "2026-03-01T10:00",
  "2026-03-01T09:00:00.5-01",
  "2026-03-01T10:00:00.000001Z",
  "2026-03-02T03:29:59.999z",
  "2026-03-02T00:00:00",
];

test("1,260 pairs of dates are compared as moments, whatever form they have", async () => {
  const asked = FILTER_DATES.flatMap((value) =>
    [...ORDER, "equals", "notEquals"].map((operator) => ({ operator, value })),
  );
  expect(await disagreements(STORED_DATES, asked as Asked[])).toEqual({ pairs: 1_260, wrong: [] });
});

const TEXTS = [
  "",
  "7",
  "vip",
  "VIP",
  "Vip list",
  "ä",
  "Ä",
  "\u{1F48C}",
  "\uFFFD",
  "a%_b",
  "it's",
  "{}",
  "null",
  ...STORED_DATES,
  "2024-02-29",
  "1900-02-29",
  "2026-04-31T10:00:00.000Z",
  "2026-03-01T24:00:00.000Z",
  "0001-01-01T00:00:00Z",
  "0000-01-01T00:00:00+01:00",
  "9999-12-31",
  "9999-12-31T23:30:00-01:00",
];
const NUMBERS = [0, 7, -1.5, 0.1, 1e21, 1e-7, 2 ** 53];
const SCALARS = [...TEXTS, ...NUMBERS, true, false];
/** Parts of dates, and what does not fit there. */
const PARTS: readonly (readonly [fit: readonly string[], unfit: readonly string[]])[] = [
  [
    ["2026-03-01", "2026-03-02", "2024-02-29"],
    ["2026-02-29", "2026-3-01", "20260301", "2026-13-01"],
  ],
  [
    ["T", "t", " "],
    ["", "  "],
  ],
  [
    ["10:00", "23:59", "00:00", "24:00"],
    ["1000", "", "25:00", "10:60"],
  ],
  [
    [":00", ":00", ":30"],
    [":60", ""],
  ],
  [
    ["", ".5", ",25", ".000", ".123456789"],
    [".1234567890", "."],
  ],
  [
    ["", "Z", "z", "+02:00", "-0030", "-11"],
    ["+24:00", "+2", " Z"],
  ],
];

test("any values are compared alike in segments and in workflows (slow)", async () => {
  const chance = new Chance(25);
  const some = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);
  const date = () => PARTS.map(([fit, unfit]) => chance.of(chance.next() < 0.95 ? fit : unfit)).join("");
  const values = [
    undefined,
    null,
    ...SCALARS,
    ...some(100, date),
    ...some(30, () =>
      some(Math.floor(chance.next() * 4), () => chance.of<unknown>([...SCALARS, null, ["vip"], { a: "vip" }])),
    ),
    { vip: "vip" },
    {},
  ];
  const wanted = [...SCALARS, ...some(30, date)];
  const asked: object[] = [
    ...wanted.flatMap((value) =>
      ["equals", "notEquals", "contains", "notContains"].map((operator) => ({ operator, value })),
    ),
    ...wanted.flatMap((value) => (typeof value === "boolean" ? [] : ORDER.map((operator) => ({ operator, value })))),
    { operator: "exists" },
    { operator: "notExists" },
  ];
  const { pairs, wrong } = await disagreements(values, asked as Asked[]);
  expect(wrong).toEqual([]);
  expect(pairs).toBeGreaterThan(50_000);
});

const LISTS: readonly [operator: string, value: unknown, holds: boolean][] = [
  ["contains", "vip", true],
  ["contains", "VIP", true],
  ["contains", "vi", false],
  ["contains", 7, true],
  ["contains", "7", false],
  ["contains", true, false],
  ["notContains", "vip", false],
  ["notContains", "7", true],
];

test("whether a list contains something means one of its items, by its type", async () => {
  const asked = LISTS.map(([operator, value]) => ({ operator, value })) as Asked[];
  const [answers] = await bySql([["Vip", 7]], asked);
  expect(answers).toEqual(LISTS.map(([, , holds]) => holds));
});

/** Of each value in data with each comparison, those on which not all three agree. */
async function disagreements(values: readonly unknown[], asked: readonly Asked[]) {
  const answers = await bySql(values, asked);
  const all = values.flatMap((value, row) =>
    asked.map((comparison, column) => ({
      value,
      comparison,
      inSql: answers[row]?.[column],
      inWorkflow: byWorkflow(value, comparison),
      expected: dataFits(value, comparison.operator, comparison.value, new Date(0), clock.nowMs()),
    })),
  );
  const wrong = all.filter(({ inSql, inWorkflow, expected }) => inSql !== expected || inWorkflow !== expected);
  return { pairs: all.length, wrong: wrong.slice(0, 20) };
}

/** A row of answers for each value; hundreds of comparisons a statement. */
async function bySql(values: readonly unknown[], asked: readonly Asked[]): Promise<boolean[][]> {
  const workspace = await fresh.store.write(async (tx) => {
    const { seq } = await createWorkspace(tx, secretsOf(Buffer.alloc(32)), `w${++workspaces}`);
    for (const [n, v] of values.entries()) {
      const input = {
        email: `${n}@example.com`,
        subscribed: true,
        voice: KEY_VOICE,
        subscribedIfNew: true,
        data: v === undefined ? {} : { box: { v } },
      };
      await upsertContact(tx, seq, input);
    }
    return seq;
  });
  const answers: boolean[][] = values.map(() => []);
  for (let from = 0; from < asked.length; from += 200) {
    const rows = await fresh.store.read((reader) => {
      const columns = asked.slice(from, from + 200).map((comparison, at) => {
        const condition = readCondition({ groups: [{ filters: [{ field: "data.box.v", ...comparison }] }] });
        const holds = conditionSql(condition, { dialect: reader.dialect, nowMs: clock.nowMs() });
        return sql`case when ${holds} then 1 else 0 end as ${new Sql([`a${at}`], [])}`;
      });
      return reader.all<Record<string, number>>`
        select ${joined(columns, ", ")} from contacts c where c.workspace = ${workspace} order by c.seq`;
    });
    rows.forEach((row, at) => answers[at]?.push(...Object.values(row).map((answer) => answer === 1)));
  }
  return answers;
}

const SOMEBODY = {
  id: "",
  email: "a@example.com",
  subscribed: true,
  status: "ACTIVE",
  createdAt: "",
  updatedAt: "",
} as const;

function byWorkflow(v: unknown, comparison: Asked): boolean {
  const context = { contact: { ...SOMEBODY, data: { box: { v } } }, event: {} };
  return decide({ field: "data.box.v", ...comparison }, context).branch === "yes";
}
