// Comparisons as SQL expressions over a value in the store.
import { sql, type Sql } from "../../store/sql.ts";
import type { JsonPlace, Scalar } from "../../store/store.ts";
import { questionOf, type Comparison, type ComparisonOrder, type ComparisonQuestion } from "./comparison.ts";

/** True where the comparison holds; false or null where it does not. Its value is a text, a number, true or false. */
export function comparisonSql(comparison: Comparison, place: JsonPlace): Sql {
  const { question, isDenied } = questionOf(comparison);
  if (question.of === "presence") return isDenied ? place.isNull : sql`(not ${place.isNull})`;
  const answer = answerSql(question, place);
  return isDenied ? sql`(not ${place.isNull} and (${answer}) is not true)` : answer;
}

function answerSql(question: Exclude<ComparisonQuestion, { readonly of: "presence" }>, place: JsonPlace): Sql {
  switch (question.of) {
    case "equality":
      return place.equals(question.value as Scalar);
    case "day":
      return sql`substr(${place.moment}, 1, 10) = ${question.day}`;
    case "moment":
      return sql`${place.moment} = ${question.moment}`;
    case "content":
      return contentSql(question.part as Scalar, place);
    case "order":
      return orderSql(question, place);
  }
}

function contentSql(part: Scalar, { text, hasItem }: JsonPlace): Sql {
  if (typeof part !== "string") return hasItem(part);
  return sql`coalesce(instr(lower(${text}), ${part}) > 0, ${hasItem(part)})`;
}

function orderSql({ order, value, moment }: ComparisonQuestion & { readonly of: "order" }, place: JsonPlace): Sql {
  if (typeof value === "number") return inOrder(order, place.number, value);
  const asTexts = inOrder(order, place.text, value as string);
  return moment === null ? asTexts : sql`coalesce(${inOrder(order, place.moment, moment)}, ${asTexts})`;
}

function inOrder(order: ComparisonOrder, found: Sql, value: string | number): Sql {
  if (order === "greaterThan") return sql`${found} > ${value}`;
  if (order === "lessThan") return sql`${found} < ${value}`;
  return order === "greaterThanOrEqual" ? sql`${found} >= ${value}` : sql`${found} <= ${value}`;
}
