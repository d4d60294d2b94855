// What the name and the header of a file say of everybody in it: exports often have a file for each state.
import { plain } from "../contacts/search/name-fields.ts";
import type { ConsentStanding } from "./consent.ts";
import { productOf } from "./products.ts";

/** At the beginning of the name (Mailchimp) or at its end (Sendy); the worst first. */
const WORDS: readonly (readonly [ConsentStanding, string])[] = [
  ["complaint", "complained|complaints?|(marked as |reported as )?spam|spam (complaints|reports)"],
  ["bounce", "(hard )?bounce[ds]|cleaned|unreachable|undeliverable"],
  ["unsubscribed", "(un|non|not )(subscribed|subscribers)|unsubscribes|opt(ed)? outs?|(block|black)listed|abgemeldet"],
  ["pending", "unconfirmed|pending"],
  ["subscribed", "subscribed|abonniert"],
];
const NAMES = WORDS.map(([standing, words]) => [standing, new RegExp(`^(${words})( |$)|(^| )(${words})$`)] as const);
/** Sendy's file of those who are none of this, beside the columns that it has in all of its files. */
const ACTIVE = / active$/;

/** `name`: with its path and ending; null = unknown. Null also for a file with our own column, which decides by itself. */
export function fileStanding(name: string | null, header: readonly string[]): ConsentStanding | null {
  const columns = header.map(plain);
  if (columns.includes("subscribed")) return null;
  const words = wordsOf(name ?? "");
  const named = NAMES.find(([, pattern]) => pattern.test(words))?.[0];
  if (named) return named;
  if (ACTIVE.test(words) && columns[0] === "name" && columns[1] === "email") return "subscribed";
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
