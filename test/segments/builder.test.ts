// The condition builder's tree: made of a condition, changed, and written as a condition again.
import { describe, expect, test } from "bun:test";
import * as check from "fast-check";
import { FITTING as FITTING_OF_SERVER, OPERATORS } from "../../src/audience/segments/condition/filter.ts";
import { readCondition } from "../../src/audience/segments/condition/check.ts";
import {
  draftOf,
  filledPart,
  isFilled,
  placed,
  type SegmentCondition,
  type GroupNode,
  type ConditionNode,
} from "../../web/condition/draft.ts";
import {
  add,
  newFilter,
  newGroupIn,
  remove,
  replace,
  pathTo,
  withField,
  withOperator,
} from "../../web/condition/edits.ts";
import { FITTING, subjectOf, takesNoValue, takesSpan, type ConditionFilter } from "../../web/condition/subjects.ts";

const FIELDS = {
  email: "email",
  subscribed: "subscribed",
  status: "status",
  time: "createdAt",
  data: "data.plan",
  event: "event.order.placed",
  mail: "email.opened",
  segment: "segment.0192f0c1-0000-7000-8000-000000000000",
  topic: "topic.news",
  paused: "paused",
} as const satisfies Record<keyof typeof FITTING, string>;

const VALUES: Readonly<Partial<Record<string, ConditionFilter["value"]>>> = {
  subscribed: false,
  paused: true,
  status: "PENDING",
  time: "2026-03-01",
  topic: "unsaid",
};

function filterWith(kind: keyof typeof FIELDS, operator: ConditionFilter["operator"]): ConditionFilter {
  const field = FIELDS[kind];
  if (takesNoValue(operator)) return { field, operator };
  if (takesSpan(operator)) return { field, operator, value: 3, unit: "hours" };
  return { field, operator, value: VALUES[kind] ?? "pro" };
}

const TAGGED: readonly ConditionFilter[] = [
  { field: "email.clicked", operator: "triggered", tag: "plan:pro" },
  { field: "email.sent", operator: "notTriggeredWithin", tag: "news", value: 3, unit: "hours" },
];
const EVERY_FILTER = [
  ...Object.entries(FITTING).flatMap(([kind, operators]) =>
    operators.map((operator) => filterWith(kind as keyof typeof FIELDS, operator)),
  ),
  ...TAGGED,
];

function again(condition: SegmentCondition): SegmentCondition | undefined {
  return placed(draftOf(condition))?.condition;
}

describe("the builder offers what the server takes", () => {
  test("every operator of the server has a field that it fits, and no other", () => {
    for (const [kind, operators] of Object.entries(FITTING)) {
      const ofServer = FITTING_OF_SERVER[kind === "mail" ? "event" : (kind as keyof typeof FITTING_OF_SERVER)];
      expect([kind, [...operators].sort()]).toEqual([kind, [...ofServer].sort()]);
    }
    expect(new Set(EVERY_FILTER.map(({ operator }) => operator))).toEqual(new Set(OPERATORS));
  });

  test.each(EVERY_FILTER)("$field $operator comes back as it was, and the server takes it", (filter) => {
    const condition: SegmentCondition = { logic: "AND", groups: [{ filters: [filter] }] };
    expect(again(condition)).toEqual(condition);
    expect(readCondition(again(condition)) as unknown).toEqual(condition);
  });
});

const filters = check.constantFrom(...EVERY_FILTER);
const { condition: conditions } = check.letrec<{ condition: SegmentCondition }>((tie) => ({
  condition: check.record({
    logic: check.constantFrom("AND" as const, "OR" as const),
    groups: check.array(
      check
        .tuple(
          check.array(filters, { maxLength: 3 }),
          check.option(tie("condition"), { nil: null, depthSize: "small", maxDepth: 4 }),
        )
        .filter(([own, nested]) => own.length > 0 || nested !== null)
        .map(([own, nested]) => (nested ? { filters: own, conditions: nested } : { filters: own })),
      { minLength: 1, maxLength: 3 },
    ),
  }),
}));

/** A tree without its ids. */
function shapeOf(node: ConditionNode): unknown {
  if (node.kind === "group") return { join: node.join, items: node.items.map(shapeOf) };
  const { id: _, kind: __, ...filter } = node;
  return filter;
}

test("a condition read and written is read as the same tree, and written the same from then on", () => {
  check.assert(
    check.property(conditions, (condition) => {
      const once = again(condition) as SegmentCondition;
      expect(shapeOf(draftOf(once))).toEqual(shapeOf(draftOf(condition)));
      expect(again(once)).toEqual(once);
    }),
  );
});

test("a condition that is read and written finds the same people, whichever filters hold for them", () => {
  const holdsAs = ({ logic, groups }: SegmentCondition, held: ReadonlySet<string>): boolean => {
    const parts = groups.map(
      (group) =>
        group.filters.every((filter) => held.has(JSON.stringify(filter))) &&
        (!group.conditions || holdsAs(group.conditions, held)),
    );
    return logic === "OR" ? parts.some(Boolean) : parts.every(Boolean);
  };
  check.assert(
    check.property(conditions, check.subarray(EVERY_FILTER), (condition, some) => {
      const held = new Set(some.map((filter) => JSON.stringify(filter)));
      expect(holdsAs(again(condition) as SegmentCondition, held)).toBe(holdsAs(condition, held));
    }),
    { numRuns: 500 },
  );
});

test("each filter's place leads to it in what is written", () => {
  check.assert(
    check.property(conditions, (condition) => {
      const draft = draftOf(condition);
      const { condition: made, places } = placed(draft) ?? {};
      const look = (node: ConditionNode): void => {
        const at = places?.get(node.id);
        const found = at?.split(".").reduce<unknown>((value, key) => (value as never)[key], made);
        if (node.kind === "group") return node.items.forEach(look);
        expect(found).toEqual(shapeOf(node));
      };
      look(draft);
    }),
  );
});

const [plan, opened] = [newFilter("data.plan"), newFilter("email.opened")];
const empty = draftOf(null);

describe("changes", () => {
  test("a filter that is added is not filled in, and nothing is written until it is", () => {
    const draft = add(empty, empty.id, plan);
    expect(isFilled(draft)).toBe(false);
    expect(placed(draft)).toBeNull();
    const filled = replace(draft, { ...plan, value: "pro" });
    expect(placed(filled)?.condition.groups).toEqual([
      { filters: [{ field: "data.plan", operator: "equals", value: "pro" }] },
    ]);
  });

  test("nothing at all is written as nothing", () => expect(placed(empty)).toBeNull());

  test("a new group joins the other way, and goes with its last filter", () => {
    const group = newGroupIn("all", "email.opened");
    const draft = add(add(empty, empty.id, { ...plan, value: "pro" }), empty.id, group);
    expect(placed(draft)?.condition.groups).toEqual([
      {
        filters: [{ field: "data.plan", operator: "equals", value: "pro" }],
        conditions: {
          logic: "OR",
          groups: [{ filters: [{ field: "email.opened", operator: "triggeredWithin", value: 30, unit: "days" }] }],
        },
      },
    ]);
    const without = remove(draft, (group.items[0] as ConditionNode).id) as GroupNode;
    expect(without.items.map(({ id }) => id)).toEqual([plan.id]);
  });

  test("what is left after a filter is what comes before it where all must hold, and it alone among alternatives", () => {
    const group = newGroupIn("all", "email.opened");
    const [inside] = group.items as [ConditionNode];
    const late = { ...newFilter("data.late"), value: "x" };
    const other = { ...newFilter("data.other"), value: "y" };
    const draft = [{ ...plan, value: "pro" }, { ...group, items: [other, inside] }, late].reduce(
      (made: GroupNode, node) => add(made, made.id, node as ConditionNode),
      empty,
    );
    const fields = (id: number) =>
      JSON.stringify(placed(pathTo(draft, id) as GroupNode)?.condition).match(/(plan|opened|other|late)/g);
    expect(fields(plan.id)).toEqual(["plan"]);
    expect(fields(inside.id)).toEqual(["plan", "opened"]);
    expect(fields(group.id)).toEqual(["plan", "other", "opened"]);
    expect(fields(late.id)).toEqual(["plan", "other", "opened", "late"]);
    expect(pathTo(draft, -1)).toBeNull();
  });

  test("what is not filled in is left out of what there is so far, with groups that this leaves empty", () => {
    const group = newGroupIn("all", "data.plan");
    const draft = add(add(empty, empty.id, { ...plan, value: "pro" }), empty.id, group);
    expect(placed(draft)).toBeNull();
    expect(filledPart(draft)?.items.map(({ id }) => id)).toEqual([plan.id]);
    expect(filledPart(add(empty, empty.id, plan))).toBeNull();
  });

  test("another field keeps an operator and a value that fit it, and drops what does not", () => {
    const span = { ...opened, value: 7, unit: "hours" as const };
    expect(withField(span, "email.clicked")).toMatchObject({ operator: "triggeredWithin", value: 7, unit: "hours" });
    expect(withField({ ...span, tag: "news" }, "email.clicked").tag).toBe("news");
    expect(withField({ ...span, tag: "news" }, "event.paid").tag).toBeUndefined();
    const toData = withField(span, "data.plan");
    expect([toData.operator, toData.value, toData.unit]).toEqual(["equals", undefined, undefined]);
    expect(withField({ ...plan, value: "pro" }, "subscribed")).toMatchObject({ operator: "equals", value: true });
  });

  test("another operator drops a value that means something else", () => {
    const age = withOperator({ ...plan, value: "pro" }, "within");
    expect(age).toMatchObject({ value: 30, unit: "days" });
    const back = withOperator(age, "equals");
    expect([back.value, back.unit]).toEqual([undefined, undefined]);
    expect(withOperator({ ...plan, value: "pro" }, "exists").value).toBeUndefined();
  });

  test("a bare name is an event where only events have the operator", () => {
    expect(subjectOf({ field: "signed.up", operator: "triggered" })).toEqual({ kind: "event", name: "signed.up" });
    expect(subjectOf({ field: "plan", operator: "equals" })).toEqual({ kind: "data", path: "plan" });
  });
});
