// Texts that come with a request, and are in no template: whether they can be read, found out once for each text.
import { BoundedMap } from "../../base/brakes/bounded-map.ts";
import type { Budget } from "./budget.ts";
import { asWritten, checkSyntax, TemplateSyntaxError } from "./render.ts";
import { isPlain } from "./substitute.ts";

const MOST_KNOWN = 500;
const MOST_KNOWN_CHARS = 8_000_000;
/** A longer one is parsed at once: then the end of what can be read is found sooner. */
const LONGEST_PLAIN_CHARS = 64 * 1024;

let known: BoundedMap<string, TemplateSyntaxError | null> | undefined;

/**
 * What keeps a text from being read; null = nothing. Many requests have the same text, which costs a look-up then.
 * @throws OverBudget
 */
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
    // With nothing but variables it is filled in without being parsed, however many they are.
    return isPlain(source) ? null : error;
  }
}
