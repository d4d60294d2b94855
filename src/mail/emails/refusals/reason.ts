// The reason for a refusal, for people: derived from the server's words and codes. Its consequences are decided
// elsewhere (blame.ts).

export const REASONS = [
  ...(["NO_MAILBOX", "NO_DOMAIN", "FULL", "TOO_LARGE", "SPAM", "LISTED"] as const),
  ...(["UNPROVEN", "TOO_MUCH", "NO_ANSWER", "NOT_NOW", "REFUSED"] as const),
] as const;
export type RefusalReason = (typeof REASONS)[number];

/** States that have a reason. */
export const REFUSED_STATES = ["FAILED", "BOUNCED"] as const;

const MAX_WORDS_CHARS = 2_000;

/** The first match counts. */
const TABLE: readonly (readonly [RefusalReason, RegExp])[] = [
  ["FULL", /\b[45]\.2\.2\b|quota|(mail ?box|inbox)[^.]{0,20}\bfull|insufficient (system )?storage|postfach voll/i],
  ["TOO_LARGE", /\b5\.(3\.4|2\.3)\b|too (large|big)|(message|mail) size|size limit|exceeds[^.]{0,30}size/i],
  [
    "NO_DOMAIN",
    /\b[45]\.1\.(2|10)\b|nxdomain|null ?mx|(domain|host)( name)? (is )?(not found|unknown|does not exist)|no such (domain|host)|unknown (domain|host)/i,
  ],
  ["SPAM", /\bspam\b(?!haus)|unsolicited|junk|content (was )?(rejected|refused)|looks like spam/i],
  ["LISTED", /(block|black|deny)[ -]?list|spamhaus|\brbl\b|dnsbl|reputation|\bbanned\b/i],
  ["UNPROVEN", /\b5\.7\.(2[0-9]|1[5-9])\b|\b(spf|dkim|dmarc)\b|unauthenticated|not authenticated/i],
  ["TOO_MUCH", /\b4\.7\.28\b|rate limit|throttl|too (many|much) (mail|message|connection|recipient)/i],
  [
    "NO_MAILBOX",
    /\b5\.1\.[016]\b|\b5\.2\.1\b|user ?unknown|(unknown|no such|invalid) (user|recipient|mailbox|address)|(user|mailbox|recipient|address|account)[^.]{0,40}(does not exist|not found|unknown|disabled|unavailable)|no mailbox|not a valid (recipient|user|mailbox)|disabled or discontinued|domino directory/i,
  ],
  ["NO_ANSWER", /timed? ?out|timeout|unreachable|connection (refused|reset|closed|lost)|no route|no answer|econn/i],
  ["NOT_NOW", /\b4\.\d\.\d+\b|^4\d\d\b|grey|gray-?list|temporar|try again|later/i],
];

export type RefusalFacts = {
  readonly status: string;
  readonly error: string | null;
  readonly bounceType: string | null;
};

/** Null for a mail without a refusal. */
export function reasonOf({ status, error, bounceType }: RefusalFacts): RefusalReason | null {
  if (status !== "FAILED" && status !== "BOUNCED") return null;
  return reasonIn(error ?? "") ?? (bounceType === "Permanent" ? "NO_MAILBOX" : "REFUSED");
}

/** Null without known words. */
export function reasonIn(reply: string): RefusalReason | null {
  const words = reply.slice(0, MAX_WORDS_CHARS);
  return TABLE.find(([, known]) => known.test(words))?.[0] ?? null;
}
