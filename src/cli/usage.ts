// Words on the command line that make no sense, and what to say about them.
import { nearest } from "../config/hints.ts";
import type { Verb } from "./verb.ts";

/** `hint` says where to read on. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** `message` goes on after the name of the verb: "needs NAME". */
export function misused(verb: Verb, message: string): UsageError {
  return new UsageError(`posthorn ${verb.name} ${message}`, `See: posthorn ${verb.name} --help`);
}

export function unknownVerb(words: string, known: readonly string[]): UsageError {
  return new UsageError(`posthorn knows no verb ${words}${didYouMean(words, known)}`, "See: posthorn --help");
}

/** A family without its second word, or no word at all. */
export function missingVerb(words: readonly string[], verbs: readonly Verb[]): UsageError {
  const called = ["posthorn", ...words].join(" ");
  const next = new Set(verbs.map((verb) => verb.name.split(" ")[words.length]));
  return new UsageError(`${called} needs a verb: ${[...next].join(", ")}`, `See: ${called} --help`);
}

export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === null ? "" : `; did you mean ${meant}?`;
}
