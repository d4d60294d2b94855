// The consent status of everybody in a file, by its name and header: exports often have a file for each status.
import { plain } from "../contacts/search/name-fields.ts";
import type { ConsentStatus } from "./consent.ts";
import { productOf } from "./products.ts";

/** The worst first. */
const WORDS: readonly (readonly [ConsentStatus, string])[] = [
  ["complaint", "complained|complaints?|(marked as |reported as )?spam|spam (complaints|reports)"],
  ["bounce", "(hard )?bounce[ds]|unreachable|undeliverable"],
  ["unsubscribed", "(un|non|not )(subscribed|subscribers)|unsubscribes|opt(ed)? outs?|(block|black)listed|abgemeldet"],
  ["pending", "unconfirmed|pending"],
  ["subscribed", "subscribed|abonniert"],
];
/** After a state at the beginning of a name. Other words change its meaning: pending orders, a spam filter's users. */
const PEOPLE = "members?|audience|segment|contacts?|people|subscribers?|e ?mails?|addresses|list|export";
/** Before a state at the end of a name. */
const NONE = "no|not|without|excluding|minus|ohne|keine";
const NAMES = WORDS.map(
  ([standing, words]) =>
    [standing, new RegExp(`^(${words})( (${PEOPLE})( |$)|$)|(?<!(^| )(${NONE})) (${words})$`)] as const,
);
/** Mailchimp's file of addresses that bounced. Other lists are called cleaned because they were tidied up. */
const CLEANED = /^cleaned (members|email audience|segment) export( |$)/;

/**
 * Null = nothing. A file with our own column `subscribed` says it there alone. `name`: with its path and ending; null =
 * unknown.
 */
export function fileStanding(name: string | null, header: readonly string[]): ConsentStatus | null {
  const columns = header.map(plain);
  if (columns.includes("subscribed")) return null;
  const words = wordsOf(name ?? "");
  if (CLEANED.test(words)) return "bounce";
  const named = NAMES.find(([, pattern]) => pattern.test(words))?.[0];
  if (named) return named;
  return productOf(header)?.lists === "subscribers" ? "subscribed" : null;
}

/** Without folders, the ending, and numbers that a browser adds to a second file of a name. */
function wordsOf(name: string): string {
  const file = name.slice(name.lastIndexOf("/") + 1).replace(/\.\w{1,5}$/, "");
  return file
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
}
