// The excerpt of a section in a hit: the text around the first word of the question.
import { knownStemOf } from "./words.ts";

const BEFORE_CHARS = 60;
const EXCERPT_CHARS = 240;

/** @param isAsked whether a stem is in the question */
export function excerptOf(text: string, isAsked: (stem: string) => boolean): string {
  const at = firstOf(text, isAsked);
  const from = at <= BEFORE_CHARS ? 0 : text.indexOf(" ", at - BEFORE_CHARS) + 1;
  const piece = text.slice(from, from + EXCERPT_CHARS);
  return `${from > 0 ? "… " : ""}${piece}${from + EXCERPT_CHARS < text.length ? " …" : ""}`;
}

function firstOf(text: string, isAsked: (stem: string) => boolean): number {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu))
    if (isAsked(knownStemOf(word.toLowerCase()))) return index;
  return 0;
}
