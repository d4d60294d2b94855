// Whose fault a refusal is: one table for a relay's answers, for DSNs and for notices of SES (docs/bounces.md). A refusal counts as the
// recipient's fault only if that is certain, because it unsubscribes the contact.
import { domainOf } from "../../addresses.ts";
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
} from "./words.ts";

/** The step of the session that was refused. "data": the DATA command or the message itself. */
export type Phase = "connect" | "auth" | "mail" | "rcpt" | "data" | "unknown";

/**
 * - `recipient`: nobody can be reached at this address. A hard bounce.
 * - `sender`: who we are, what we send or may send. The mail is FAILED; the recipient is not to blame.
 * - `passing`: full, too much, not now. Another try may help; in the end a soft bounce.
 * - `unclear`: refused for good without a clear reason. A soft bounce.
 */
export type Blame = "recipient" | "sender" | "passing" | "unclear";

export type Refused = {
  readonly phase: Phase;
  /** RFC 5321 §4.2; 0 = none. */
  readonly code: number;
  /** RFC 3463; null = none from the refusing server. */
  readonly status: string | null;
  readonly words: string;
  /** The address that was refused, if it is known. */
  readonly recipient?: string | null;
};

/** `words` without names, and `original` with them. */
type Said = Refused & { readonly status: string; readonly original: string };

type Line = readonly [blame: Blame, when: (said: Said) => boolean, why: string];

const says = (words: RegExp) => (said: Said) => words.test(said.words);
const during =
  (...phases: Phase[]) =>
  (said: Said) =>
    phases.includes(said.phase);
const coded = (codes: RegExp) => (said: Said) => codes.test(said.status);

/** The first line that matches counts. */
const TABLE: readonly Line[] = [
  ["passing", ({ code }) => code >= 400 && code < 500, "The server itself says that it is temporary."],
  ["passing", coded(/^4\./), "The same, in the other notation."],
  ["sender", during("auth", "mail"), "No recipient was named yet."],
  ["passing", says(FULL), "A full mailbox is emptied some day, whatever the code: some servers add 5.1.1."],
  ["passing", says(TOO_MUCH), "Too much mail is a matter of pace, whatever the code."],
  ["passing", coded(/^5\.(2\.[24]|3\.1)$/), "Mailbox full, list trouble, system full."],
  ["sender", coded(/^5\.(7\.\d+|1\.[78])$/), "Policy, authentication, or the sender's address."],
  ["sender", during("data"), "The recipient was accepted before; the message is refused."],
  ["unclear", coded(/^5\.(2\.3|3\.4|4\.(6|14)|6\.\d+)$/), "Size, loops, content: of this one mail."],
  ["sender", says(ABOUT_US), "Servers use any code; words about us or about spam say more."],
  ["unclear", during("connect"), "No recipient was named yet, and nothing was said about us."],
  ["passing", says(NOT_NOW), "The words promise another time."],
  [
    "recipient",
    (said) => NOBODY_THERE.test(said.words) && !GUESS.test(said.words),
    "Words that say so beat codes that say nothing.",
  ],
  ["recipient", hasNoDomain, "If the domain does not exist, nobody is there."],
  ["recipient", (said) => said.status === "5.4.1" && NOT_IN_DIRECTORY.test(said.words), "Exchange Online says so."],
  ["sender", says(DENIED), "Denied without a reason: that may be us."],
  ["recipient", coded(/^5\.(1\.([1236]|10)|2\.1)$/), "No such mailbox, domain or address; moved; null MX; disabled."],
  [
    "recipient",
    (said) => said.code === 550 && UNAVAILABLE.test(said.words),
    "The meaning of 550 if nothing else is said.",
  ],
  ["passing", coded(/^5\.2\.0$/), "Trouble with a mailbox that exists."],
  ["passing", (said) => said.code === 552 && said.status === "", "The code for a lack of storage."],
  ["recipient", isBareAtRecipient, "What these codes mean in answer to RCPT (RFC 5321 §4.3.2)."],
];

export function blameFor(refused: Refused): Blame {
  const said = { ...refused, status: refused.status ?? "", words: bareWords(refused.words), original: refused.words };
  return TABLE.find(([, when]) => when(said))?.[0] ?? "unclear";
}

/** Postfix and Exchange name the domain that they did not find; that of a relay on the way is not the recipient's fault. */
const NOT_FOUND = /(?:\bname=|\bDNS domain )([\w.-]+\w)/i;

function hasNoDomain({ words, original, recipient }: Said): boolean {
  if (!NO_DOMAIN.test(words)) return false;
  const named = NOT_FOUND.exec(original)?.[1];
  return named === undefined || domainOf(recipient ?? "") === named.toLowerCase();
}

function isBareAtRecipient({ phase, code, status }: Said): boolean {
  return phase === "rcpt" && status === "" && (code === 550 || code === 551 || code === 553);
}
