// The meaning of operators for each kind of value, in segments, campaigns, workflows and simulations. `holds.ts`
// answers the questions for a value in memory, `comparison-sql.ts` for a value in the store.
//
//   question     text                                     number    true, false  list                object
//   presence     yes                                      yes       yes          yes                 yes
//   equality     the same text                            the same  the same     the same items      the same fields
//   moment, day  is that moment; is a moment of that day  no        no           no                  no
//   content      has that text in it, A being a           no        no           has that item, A    no
//                                                                                being a
//   order        as moments if both texts are moments,    by size   no           no                  no
//                else byte by byte
//
// A value is only compared with a value of its own kind: the text "7" is not the number 7. For a missing value or null
// every answer is no, even that of notEquals and notContains, which only match an existing value. A missing value meets
// `notExists`, and `equals` null.
import { isDay } from "../../base/clock.ts";
import { momentOf } from "../../base/moments.ts";

export const EQUALITY = ["equals", "notEquals"] as const;
export const CONTAINING = ["contains", "notContains"] as const;
/** In a comparison of order, a day means its first moment. */
export const ORDER = ["greaterThan", "lessThan", "greaterThanOrEqual", "lessThanOrEqual"] as const;
export const PRESENCE = ["exists", "notExists"] as const;

/** Comparisons whose answer depends on the value alone, not on the current time. */
export const COMPARISONS = [...EQUALITY, ...CONTAINING, ...ORDER, ...PRESENCE] as const;
export type ComparisonOperator = (typeof COMPARISONS)[number];
export type ComparisonOrder = (typeof ORDER)[number];

/** `value` is any JSON; the presence operators have none. */
export type Comparison = { readonly operator: ComparisonOperator; readonly value?: unknown };

export type ComparisonQuestion =
  | { readonly of: "presence" }
  | { readonly of: "equality"; readonly value: unknown }
  | { readonly of: "day"; readonly day: string }
  | { readonly of: "moment"; readonly moment: string }
  /** `part`: if it is a text, its letters A to Z are in lower case. */
  | { readonly of: "content"; readonly part: unknown }
  | { readonly of: "order"; readonly order: ComparisonOrder; readonly value: unknown; readonly moment: string | null };

export type ComparisonTest = { readonly question: ComparisonQuestion; readonly isDenied: boolean };

export function questionOf({ operator, value = null }: Comparison): ComparisonTest {
  switch (operator) {
    case "exists":
    case "notExists":
      return { question: { of: "presence" }, isDenied: operator === "notExists" };
    case "equals":
    case "notEquals":
      return equality(value, operator === "notEquals");
    case "contains":
    case "notContains":
      return { question: { of: "content", part: folded(value) }, isDenied: operator === "notContains" };
    default:
      return { question: { of: "order", order: operator, value, moment: momentIn(value) }, isDenied: false };
  }
}

function equality(value: unknown, isDenied: boolean): ComparisonTest {
  if (value === null) return { question: { of: "presence" }, isDenied: !isDenied };
  const moment = momentIn(value);
  if (isDay(value)) return { question: { of: "day", day: value }, isDenied };
  if (moment !== null) return { question: { of: "moment", moment }, isDenied };
  return { question: { of: "equality", value }, isDenied };
}

export function momentIn(value: unknown): string | null {
  return typeof value === "string" ? momentOf(value) : null;
}

/** Puts a text's letters A to Z into lower case; any other value stays as it is. */
export function folded(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : value;
}
