// Texts in a request rather than in a template: their syntax is checked once for each text.
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import type { Budget } from "./budget.ts";
import { asWritten, checkSyntax, TemplateSyntaxError } from "./render.ts";
import { isPlain } from "./substitute.ts";

const MOST_KNOWN = 500;
const MOST_KNOWN_CHARS = 8_000_000;
/** A longer text is parsed without a search for plain variables first: parsing stops at its limit sooner. */
const LONGEST_PLAIN_CHARS = 64 * 1024;

let known: BoundedMap<string, TemplateSyntaxError | null> | undefined;

/** The syntax error of a text; null = none. A text of many requests is parsed only once. @throws OverBudget */
export function faultIn(source: string, budget: () => Budget): TemplateSyntaxError | null {
  if (asWritten(source) !== null) return null;
  known ??= new BoundedMap(MOST_KNOWN, MOST_KNOWN_CHARS);
  const before = known.get(source);
  if (before !== undefined) return before;
  budget().check();
  const found = source.length <= LONGEST_PLAIN_CHARS && isPlain(source) ? null : readFault(source);
  known.set(source, found, source.length);
  return found;
}

function readFault(source: string): TemplateSyntaxError | null {
  try {
    checkSyntax(source);
    return null;
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    // With plain variables only, it is filled in without being parsed, for any number of them.
    return isPlain(source) ? null : error;
  }
}
