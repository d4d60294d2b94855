// Filters in words, in both languages.
import { expect, test } from "bun:test";
import { draftOf, type SegmentCondition } from "../../web/condition/draft.ts";
import { describe } from "../../web/condition/describe.ts";
import { operatorsFor } from "../../web/condition/subjects.ts";
import { condition as german } from "../../web/texts/de/condition.ts";
import { condition as english } from "../../web/texts/en/condition.ts";

type Filter = SegmentCondition["groups"][number]["filters"][number];

const segments = [{ id: "one", name: "Friends" }];
const topics = [{ id: "news", name: "Product news" }];
const number = (value: number) => String(value);

function both(filter: Filter): readonly [english: string, german: string] {
  const draft = draftOf({ logic: "AND", groups: [{ filters: [filter] }] });
  return [
    describe(draft, { t: english, segments, topics, number }),
    describe(draft, { t: german, segments, topics, number }),
  ];
}

test.each<[Filter, string, string]>([
  [{ field: "data.plan", operator: "equals", value: "pro" }, "plan is pro", "plan ist pro"],
  [
    { field: "topic.news", operator: "equals", value: "unsaid" },
    "choice of topic Product news is not made",
    "Wahl beim Thema Product news ist nicht getroffen",
  ],
  [
    { field: "topic.gone", operator: "notEquals", value: "out" },
    "choice of topic gone is not “out”",
    "Wahl beim Thema gone ist nicht „abgewählt“",
  ],
  [
    { field: "data.since", operator: "lessThan", value: "2024-01-01" },
    "since before 2024-01-01",
    "since vor dem 2024-01-01",
  ],
  [
    { field: "data.since", operator: "greaterThanOrEqual", value: "2024-01-01T09:00:00Z" },
    "since since 2024-01-01T09:00:00Z",
    "since ab dem 2024-01-01T09:00:00Z",
  ],
  [{ field: "data.total", operator: "lessThan", value: 1500 }, "total is less than 1500", "total ist kleiner als 1500"],
  [{ field: "subscribed", operator: "equals", value: true }, "is subscribed", "hat abonniert"],
  [{ field: "subscribed", operator: "notEquals", value: true }, "is not subscribed", "hat nicht abonniert"],
  [{ field: "subscribed", operator: "notEquals", value: false }, "is subscribed", "hat abonniert"],
  [{ field: "status", operator: "equals", value: "PENDING" }, "status is waiting to confirm", "Status ist unbestätigt"],
  [
    { field: "createdAt", operator: "within", value: 7, unit: "days" },
    "added within the last 7 days",
    "angelegt vor weniger als 7 Tagen",
  ],
  [
    { field: "createdAt", operator: "lessThan", value: "2026-03-01" },
    "added before 2026-03-01",
    "angelegt vor dem 2026-03-01",
  ],
  [
    { field: "email.opened", operator: "notTriggeredWithin", value: 30, unit: "days" },
    "opened an email not within the last 30 days",
    "Mail geöffnet: nicht innerhalb von 30 Tagen",
  ],
  [
    { field: "email.opened", operator: "triggeredWithin", value: 1, unit: "days" },
    "opened an email within the last 1 day",
    "Mail geöffnet: vor weniger als 1 Tag",
  ],
  [
    { field: "createdAt", operator: "olderThan", value: 1, unit: "hours" },
    "added longer ago than 1 hour",
    "angelegt vor mehr als 1 Stunde",
  ],
  [
    { field: "email.sent", operator: "notTriggered", tag: "news" },
    "has never been sent an email (tag news)",
    "Mail gesendet: nie (Tag news)",
  ],
  [
    { field: "email.clicked", operator: "triggeredWithin", value: 7, unit: "days", tag: "plan:pro" },
    "clicked a link within the last 7 days (tag plan:pro)",
    "Link geklickt: vor weniger als 7 Tagen (Tag plan:pro)",
  ],
  [{ field: "event.paid", operator: "notTriggered" }, "no event paid", "Ereignis paid: nie"],
  [{ field: "segment.one", operator: "notMemberOf" }, "is not in segment Friends", "ist nicht im Segment Friends"],
  [{ field: "segment.two", operator: "memberOf" }, "is in segment (deleted)", "ist im Segment (gelöscht)"],
])("%p is said as “%s” and „%s“", (filter, inEnglish, inGerman) => {
  expect(both(filter)).toEqual([inEnglish, inGerman]);
});

test("groups are joined by their words, and nested ones stand in brackets", () => {
  const [a, b, c] = ["a", "b", "c"].map((key): Filter => ({ field: `data.${key}`, operator: "exists" }));
  const inner: SegmentCondition = { logic: "OR", groups: [{ filters: [b as Filter] }, { filters: [c as Filter] }] };
  const draft = draftOf({ logic: "AND", groups: [{ filters: [a as Filter], conditions: inner }] });
  const words = { t: english, segments, topics, number };
  expect(describe(draft, words)).toBe("a is known and (b is known or c is known)");
});

test("what is asked of a value fits its type", () => {
  const data = { kind: "data", path: "x" } as const;
  expect(operatorsFor(data, "date")[0]).toBe("within");
  for (const operator of ["within", "lessThan", "greaterThanOrEqual", "notExists"] as const)
    expect(operatorsFor(data, "date")).toContain(operator);
  for (const type of ["date", "number", "flag"] as const) expect(operatorsFor(data, type)).not.toContain("contains");
  expect(operatorsFor(data, "number")).toContain("greaterThan");
  expect(operatorsFor(data, "number")).not.toContain("within");
  expect(operatorsFor(data, "text")).not.toContain("lessThan");
  expect(operatorsFor(data, "list")[0]).toBe("contains");
  // Of a key that nobody has yet, anything may be asked.
  expect(operatorsFor(data, null)).toEqual(expect.arrayContaining(["contains", "lessThan", "within"]));
});
