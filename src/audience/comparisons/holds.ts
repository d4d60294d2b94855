// Comparisons of a value in memory.
import {
  folded,
  momentIn,
  questionOf,
  type Comparison,
  type ComparisonOrder,
  type ComparisonQuestion,
} from "./comparison.ts";

/** `found` undefined = there is no value. */
export function holds(comparison: Comparison, found: unknown): boolean {
  const { question, isDenied } = questionOf(comparison);
  const isThere = found !== undefined && found !== null;
  if (question.of === "presence") return isThere !== isDenied;
  return isThere && answer(question, found) !== isDenied;
}

function answer(question: Exclude<ComparisonQuestion, { readonly of: "presence" }>, found: unknown): boolean {
  switch (question.of) {
    case "equality":
      return Bun.deepEquals(found, question.value);
    case "day":
      return momentIn(found)?.startsWith(question.day) ?? false;
    case "moment":
      return momentIn(found) === question.moment;
    case "content":
      return contains(folded(found), question.part);
    case "order":
      return isInOrder(question.order, compared(found, question));
  }
}

function contains(found: unknown, part: unknown): boolean {
  if (Array.isArray(found)) return found.some((item) => Bun.deepEquals(folded(item), part));
  return typeof found === "string" && typeof part === "string" && found.includes(part);
}

/** Below 0, 0 or above 0; NaN for two values without an order. */
function compared(found: unknown, { value, moment }: ComparisonQuestion & { readonly of: "order" }): number {
  if (typeof found === "number" && typeof value === "number") return found - value;
  if (typeof found !== "string" || typeof value !== "string") return Number.NaN;
  const other = moment === null ? null : momentIn(found);
  return other === null ? byBytes(found, value) : byBytes(other, moment as string);
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function isInOrder(order: ComparisonOrder, difference: number): boolean {
  if (order === "greaterThan") return difference > 0;
  if (order === "lessThan") return difference < 0;
  return order === "greaterThanOrEqual" ? difference >= 0 : difference <= 0;
}
