// What no condition may say is refused, each fault at its place.
import { expect, test } from "bun:test";
import { AppError } from "../../src/base/errors.ts";
import { CONDITION, readCondition } from "../../src/audience/segments/condition/check.ts";

function faults(condition: unknown): Record<string, string> {
  try {
    readCondition(condition);
    return {};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe("VALIDATION_ERROR");
    return Object.fromEntries((error.details.errors ?? []).map(({ field, code }) => [field, code]));
  }
}

const of = (...filters: unknown[]) => ({ groups: [{ filters }] });

const nested = (depth: number): object => ({
  groups: [depth === 1 ? { filters: [{ field: "a", value: 1 }] } : { filters: [], conditions: nested(depth - 1) }],
});

const AT = "condition.groups.0.filters.0";

const REFUSED: readonly [what: string, condition: unknown, fields: Record<string, string>][] = [
  ["no object", "plan = pro", { condition: "invalid_type" }],
  ["nothing", undefined, { condition: "required" }],
  ["no groups", {}, { "condition.groups": "required" }],
  ["an empty list of groups", { groups: [] }, { "condition.groups": "too_small" }],
  ["an unknown logic", { logic: "XOR", ...of({ field: "a", value: 1 }) }, { "condition.logic": "invalid" }],
  ["an empty group", { groups: [{ filters: [] }] }, { "condition.groups.0.filters": "required" }],
  ["a group that is none", { groups: [7] }, { "condition.groups.0": "invalid_type" }],
  ["filters that are no list", { groups: [{ filters: {} }] }, { "condition.groups.0.filters": "invalid_type" }],
  ["a filter that is none", of(null), { [AT]: "required" }],
  ["a filter without field", of({ value: 1 }), { [`${AT}.field`]: "required" }],
  ["an unknown operator", of({ field: "a", operator: "is", value: 1 }), { [`${AT}.operator`]: "invalid" }],
  ["an operator that is no text", of({ field: "a", operator: {}, value: 1 }), { [`${AT}.operator`]: "invalid" }],
  ["an unknown activity", of({ field: "email.seen", operator: "triggered" }), { [`${AT}.field`]: "unknown_field" }],
  ["an event without name", of({ field: "event.", operator: "triggered" }), { [`${AT}.field`]: "unknown_field" }],
  ["a path with a gap", of({ field: "data.a..b", value: 1 }), { [`${AT}.field`]: "unknown_field" }],
  ["a path with a quotation mark", of({ field: 'data.a"b', value: 1 }), { [`${AT}.field`]: "unknown_field" }],
  ["a very long field", of({ field: "a".repeat(301), value: 1 }), { [`${AT}.field`]: "unknown_field" }],
  ["more than an address has", of({ field: "email", operator: "within" }), { [`${AT}.operator`]: "unfit_operator" }],
  ["an event that equals", of({ field: "event.a", value: 1 }), { [`${AT}.operator`]: "unfit_operator" }],
  ["a contains of a flag", of({ field: "subscribed", operator: "contains" }), { [`${AT}.operator`]: "unfit_operator" }],
  [
    "an event that is triggered so many times",
    of({ field: "event.a", operator: "triggered", value: 3 }),
    { [`${AT}.value`]: "unfit_value" },
  ],
  [
    "an event that is not triggered for so long",
    of({ field: "email.opened", operator: "notTriggered", value: 30, unit: "days" }),
    { [`${AT}.value`]: "unfit_value" },
  ],
  [
    "a tag of your own event",
    of({ field: "event.a", operator: "triggered", tag: "a" }),
    { [`${AT}.tag`]: "unfit_tag" },
  ],
  ["a tag of data", of({ field: "a", value: 1, tag: "a" }), { [`${AT}.tag`]: "unfit_tag" }],
  ["what is no tag", of({ field: "email.clicked", operator: "triggered", tag: "a b" }), { [`${AT}.tag`]: "invalid" }],
  ["an empty tag", of({ field: "email.clicked", operator: "triggered", tag: "" }), { [`${AT}.tag`]: "invalid" }],
  ["tags", of({ field: "email.clicked", operator: "triggered", tag: ["a"] }), { [`${AT}.tag`]: "invalid" }],
  ["data that is triggered", of({ field: "data.a", operator: "triggered" }), { [`${AT}.operator`]: "unfit_operator" }],
  ["a value that is missing", of({ field: "a" }), { [`${AT}.value`]: "required" }],
  ["a value that is null", of({ field: "a", value: null }), { [`${AT}.value`]: "required" }],
  ["a value that is a list", of({ field: "a", value: ["x"] }), { [`${AT}.value`]: "invalid" }],
  ["a flag as text", of({ field: "subscribed", value: "true" }), { [`${AT}.value`]: "invalid" }],
  ["an unknown status", of({ field: "status", value: "GONE" }), { [`${AT}.value`]: "invalid" }],
  ["an address that is a number", of({ field: "email", value: 7 }), { [`${AT}.value`]: "invalid" }],
  ["a date that is none", of({ field: "createdAt", value: "2026-13-01" }), { [`${AT}.value`]: "invalid" }],
  [
    "a day that February does not have",
    of({ field: "createdAt", value: "2026-02-30" }),
    { [`${AT}.value`]: "invalid" },
  ],
  [
    "a moment of a day that April does not have",
    of({ field: "updatedAt", operator: "lessThan", value: "2026-04-31T00:00:00Z" }),
    { [`${AT}.value`]: "invalid" },
  ],
  ["a date-time without zone", of({ field: "createdAt", value: "2026-01-01T10:00" }), { [`${AT}.value`]: "invalid" }],
  ["an order of flags", of({ field: "a", operator: "lessThan", value: true }), { [`${AT}.value`]: "invalid" }],
  ["a contained list", of({ field: "a", operator: "contains", value: [7] }), { [`${AT}.value`]: "invalid" }],
  ["a very long value", of({ field: "a", value: "x".repeat(1_001) }), { [`${AT}.value`]: "invalid" }],
  [
    "a time without unit and number",
    of({ field: "createdAt", operator: "within" }),
    { [`${AT}.value`]: "required", [`${AT}.unit`]: "required" },
  ],
  [
    "an unknown unit",
    of({ field: "a", operator: "olderThan", value: 1, unit: "weeks" }),
    { [`${AT}.unit`]: "invalid" },
  ],
  [
    "a time that goes backwards",
    of({ field: "a", operator: "within", value: -1, unit: "days" }),
    { [`${AT}.value`]: "invalid" },
  ],
  [
    "more than a hundred years",
    of({ field: "event.a", operator: "triggeredWithin", value: 40_000, unit: "days" }),
    { [`${AT}.value`]: "invalid" },
  ],
  ["more than a hundred filters", of(...Array(101).fill({ field: "a", value: 1 })), { condition: "too_big" }],
  ["more than a hundred groups", { groups: Array(101).fill(of({}).groups[0]) }, expect.anything() as never],
  ["nine conditions inside each other", nested(9), { [`condition${".groups.0.conditions".repeat(8)}`]: "too_deep" }],
];

test.each(REFUSED)("refused: %s", (_, condition, fields) => {
  expect(faults(condition)).toEqual(fields);
});

test("all faults are told at once, in the order of the body, at most a hundred", () => {
  const many = { logic: "NOT", groups: [{ filters: [{ field: "a" }, { value: 1 }] }, { filters: [7] }] };
  expect(Object.keys(faults(many))).toEqual([
    "condition.logic",
    "condition.groups.0.filters.0.value",
    "condition.groups.0.filters.1.field",
    "condition.groups.1.filters.0",
  ]);
  const group = { filters: Array(100).fill({ field: "a" }) };
  expect(Object.keys(faults({ groups: Array(100).fill(group) })).length).toBe(100);
});

test("an operator that takes no value may have null for one", () => {
  const filters = [
    { field: "event.a", operator: "triggered", value: null },
    { field: "data.a", operator: "exists", value: true },
  ];
  const read = [
    { field: "event.a", operator: "triggered" },
    { field: "data.a", operator: "exists" },
  ];
  expect(readCondition(of(...filters))).toEqual({ logic: "AND", groups: [{ filters: read }] } as never);
});

test("a refused operator names itself and its field", () => {
  expect(() => readCondition(of({ field: "subscribed", operator: "contains", value: "x" }))).toThrow(
    /contains does not fit the field subscribed/,
  );
});

test("a refused operator says which there are, and how a segment is named", () => {
  const refusal = (filter: object) => {
    try {
      return readCondition(of(filter));
    } catch (error) {
      return (error as AppError).details.errors?.[0]?.message;
    }
  };
  expect(refusal({ field: "plan", operator: "is", value: 1 })).toMatch(
    /Expected equals, notEquals, .*, notMemberOf\.$/,
  );
  expect(refusal({ field: "segment", operator: "memberOf", value: "x" })).toMatch(/the field: segment\.<id>/);
  expect(refusal({ field: "plan", operator: "triggeredWithin" })).not.toMatch(/segment/);
});

test("what is accepted is whole, without what it does not know", () => {
  const given = {
    groups: [{ filters: [{ field: "plan", value: "pro", color: "red" }], conditions: null }],
    color: "red",
  };
  const whole = { logic: "AND", groups: [{ filters: [{ field: "plan", operator: "equals", value: "pro" }] }] };
  expect(readCondition(given)).toEqual(whole as never);
  expect(CONDITION.read(JSON.stringify(given))).toMatchObject(whole);
  expect(CONDITION.read(JSON.stringify(nested(8)))).toEqual(readCondition(nested(8)));
});
