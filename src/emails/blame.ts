// Whose fault a refusal is: the one table for a relay's answers, for delivery reports and for notices of SES (interface-gaps.md §7 "Bounces").
// Only what is surely the recipient's fault counts as that: it unsubscribes the contact.
import { domainOf } from "../addresses.ts";
import {
  ABOUT_US,
  bareWords,
  DENIED,
  FULL,
  GUESS,
  NO_DOMAIN,
  NOBODY_THERE,
  NOT_IN_DIRECTORY,
  NOT_NOW,
  TOO_MUCH,
  UNAVAILABLE,
} from "./refusal-words.ts";

/** Where in the session the refusal was given. "data": to the DATA command or to the message itself. */
export type Phase = "connect" | "auth" | "mail" | "rcpt" | "data" | "unknown";

/**
 * - `recipient`: nobody can be reached at this address. A permanent bounce.
 * - `sender`: what we are, send or may. The mail has FAILED, the recipient has nothing to do with it.
 * - `passing`: full, too much, not now. Another try may do; in the end a transient bounce.
 * - `unclear`: refused for good without a reason that is one of the others. A transient bounce.
 */
export type Blame = "recipient" | "sender" | "passing" | "unclear";

export type Refused = {
  readonly phase: Phase;
  /** RFC 5321 §4.2; 0 = none. */
  readonly code: number;
  /** RFC 3463; null = none, or none that the refusing server has given. */
  readonly status: string | null;
  readonly words: string;
  /** The address that was refused, if it is known. */
  readonly recipient?: string | null;
};

/** What the lines of the table look at: `Refused`, its words without names. */
type Said = Refused & { readonly status: string; readonly whole: string };

type Line = readonly [blame: Blame, when: (said: Said) => boolean, why: string];

const says = (words: RegExp) => (said: Said) => words.test(said.words);
const during =
  (...phases: Phase[]) =>
  (said: Said) =>
    phases.includes(said.phase);
const coded = (codes: RegExp) => (said: Said) => codes.test(said.status);

/** The first line that is true counts. */
const TABLE: readonly Line[] = [
  ["passing", ({ code }) => code >= 400 && code < 500, "The server itself says that it is for now."],
  ["passing", coded(/^4\./), "The same, in the other notation."],
  ["sender", during("auth", "mail"), "Nothing was said of a recipient yet."],
  ["passing", says(FULL), "A full mailbox is emptied some day, whatever the code beside: some servers add 5.1.1."],
  ["passing", says(TOO_MUCH), "Too much mail is a matter of pace, whatever the code beside."],
  ["passing", coded(/^5\.(2\.[24]|3\.1)$/), "Mailbox full, list trouble, system full."],
  ["sender", coded(/^5\.(7\.\d+|1\.[78])$/), "Policy, authentication, or the sender's address."],
  ["sender", during("data"), "The recipient was accepted before; it is the message that is refused."],
  ["unclear", coded(/^5\.(2\.3|3\.4|4\.(6|14)|6\.\d+)$/), "Size, loops, content: of this one mail."],
  ["sender", says(ABOUT_US), "Servers give strangers any code; words about us or about spam tell more."],
  ["unclear", during("connect"), "Nothing was said of a recipient yet, and nothing of us."],
  ["passing", says(NOT_NOW), "The words promise another time."],
  [
    "recipient",
    (said) => NOBODY_THERE.test(said.words) && !GUESS.test(said.words),
    "Words that say so beat codes that say nothing, and agree with those that do.",
  ],
  ["recipient", hasNoDomain, "Where the domain does not exist, nobody is there."],
  ["recipient", (said) => said.status === "5.4.1" && NOT_IN_DIRECTORY.test(said.words), "Exchange Online says so."],
  ["sender", says(DENIED), "Denied without a reason: that may be us."],
  ["recipient", coded(/^5\.(1\.([1236]|10)|2\.1)$/), "No such mailbox, domain or address; moved; null MX; disabled."],
  [
    "recipient",
    (said) => said.code === 550 && UNAVAILABLE.test(said.words),
    "What 550 means where nothing else is said.",
  ],
  ["passing", coded(/^5\.2\.0$/), "Trouble with a mailbox that is there."],
  ["passing", (said) => said.code === 552 && said.status === "", "The code for a lack of storage."],
  ["recipient", isBareAtRecipient, "What these codes mean in answer to RCPT (RFC 5321 §4.3.2)."],
];

/** Answers whom the refusal is to be held against. */
export function blameFor(refused: Refused): Blame {
  const said = { ...refused, status: refused.status ?? "", words: bareWords(refused.words), whole: refused.words };
  return TABLE.find(([, when]) => when(said))?.[0] ?? "unclear";
}

/** Postfix and Exchange name what they did not find: that of a relay on the way is no fault of the recipient's. */
const NOT_FOUND = /(?:\bname=|\bDNS domain )([\w.-]+\w)/i;

function hasNoDomain({ words, whole, recipient }: Said): boolean {
  if (!NO_DOMAIN.test(words)) return false;
  const named = NOT_FOUND.exec(whole)?.[1];
  return named === undefined || domainOf(recipient ?? "") === named.toLowerCase();
}

function isBareAtRecipient({ phase, code, status }: Said): boolean {
  return phase === "rcpt" && status === "" && (code === 550 || code === 551 || code === 553);
}
