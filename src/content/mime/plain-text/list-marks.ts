// The marks before the items of a list.
import type { HtmlElement, HtmlNode } from "./html-tree.ts";

const BULLET = " * ";
const MOST_COUNTED = 3_999;
const ROMAN: readonly (readonly [number, string])[] = [
  ...([
    [1000, "m"],
    [900, "cm"],
    [500, "d"],
    [400, "cd"],
  ] as const),
  ...([
    [100, "c"],
    [90, "xc"],
    [50, "l"],
    [40, "xl"],
  ] as const),
  ...([
    [10, "x"],
    [9, "ix"],
    [5, "v"],
    [4, "iv"],
    [1, "i"],
  ] as const),
];

/** One mark for each of `items`; empty for nodes that are no items. */
export function marksOf({ name, attributes }: HtmlElement, items: readonly HtmlNode[]): string[] {
  const start = Number.parseInt(attributes["start"] ?? "");
  let next = Number.isNaN(start) ? 1 : start;
  const markOf = () => (name === "ul" ? BULLET : ` ${counted(next++, attributes["type"] ?? "1")}. `);
  return items.map((item) => (typeof item !== "string" && item.name === "li" ? markOf() : ""));
}

function counted(number: number, type: string): string {
  if (!(number >= 1 && number <= MOST_COUNTED)) return String(number);
  const small = type.toLowerCase();
  const text = small === "i" ? roman(number) : small === "a" ? letters(number) : String(number);
  return small === type ? text : text.toUpperCase();
}

function roman(number: number): string {
  let [rest, text] = [number, ""];
  for (const [value, sign] of ROMAN) for (; rest >= value; rest -= value) text += sign;
  return text;
}

/** a to z, aa, ab, … */
function letters(number: number): string {
  const before = Math.floor((number - 1) / 26);
  return (before > 0 ? letters(before) : "") + String.fromCharCode(97 + ((number - 1) % 26));
}
