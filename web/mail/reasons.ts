// Why a mail was not taken, by the words and codes of the server that refused it. Only for words on the screen: what follows from a
// refusal is the server's decision.
import type { Mail } from "./mails.ts";

export type Reason =
  | "noMailbox"
  | "noDomain"
  | "full"
  | "tooLarge"
  | "spam"
  | "listed"
  | "unproven"
  | "tooMuch"
  | "noAnswer"
  | "notNow"
  | "refused";

/** The first that matches. */
const TABLE: readonly (readonly [Reason, RegExp])[] = [
  ["full", /\b[45]\.2\.2\b|quota|(mail ?box|inbox)[^.]{0,20}\bfull|insufficient (system )?storage|postfach voll/i],
  ["tooLarge", /\b5\.(3\.4|2\.3)\b|too (large|big)|(message|mail) size|size limit|exceeds[^.]{0,30}size/i],
  [
    "noDomain",
    /\b[45]\.1\.(2|10)\b|nxdomain|null ?mx|(domain|host)( name)? (is )?(not found|unknown|does not exist)|no such (domain|host)|unknown (domain|host)/i,
  ],
  ["spam", /\bspam\b(?!haus)|unsolicited|junk|content (was )?(rejected|refused)|looks like spam/i],
  ["listed", /(block|black|deny)[ -]?list|spamhaus|\brbl\b|dnsbl|reputation|\bbanned\b/i],
  ["unproven", /\b5\.7\.(2[0-9]|1[5-9])\b|\b(spf|dkim|dmarc)\b|unauthenticated|not authenticated/i],
  ["tooMuch", /\b4\.7\.28\b|rate limit|throttl|too (many|much) (mail|message|connection|recipient)/i],
  [
    "noMailbox",
    /\b5\.1\.[016]\b|\b5\.2\.1\b|user ?unknown|(unknown|no such|invalid) (user|recipient|mailbox|address)|(user|mailbox|recipient|address|account)[^.]{0,40}(does not exist|not found|unknown|disabled|unavailable)|no mailbox/i,
  ],
  ["noAnswer", /timed? ?out|timeout|unreachable|connection (refused|reset|closed|lost)|no route|no answer|econn/i],
  ["notNow", /\b4\.\d\.\d+\b|^4\d\d\b|grey|gray-?list|temporar|try again|later/i],
];

/** Null for a mail that nobody refused. */
export function reasonOf({ status, error, bounceType }: Mail): Reason | null {
  if (status !== "FAILED" && status !== "BOUNCED") return null;
  return reasonIn(error ?? "") ?? (bounceType === "Permanent" ? "noMailbox" : "refused");
}

export function reasonIn(reply: string): Reason | null {
  return TABLE.find(([, words]) => words.test(reply))?.[0] ?? null;
}

/** Whether the same mail may get through at another time. */
export function mayPass(reason: Reason): boolean {
  return ["full", "tooMuch", "noAnswer", "notNow"].includes(reason);
}
