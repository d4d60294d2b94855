// Whose fault a bounce is, by its codes and words (RFC 3463, interface-gaps.md §7 "Bounces"). Only what is surely the recipient's fault
// counts as that: it unsubscribes the contact.
import { ABOUT_US, BARE_RECIPIENT_FAULT, FULL, RECIPIENT_FAULT, TOO_FAST } from "../../emails/refusal.ts";

/** `sender`: authentication or reputation, 5.7.x. `nobody`: full, greylisted, blocked, content, routing, unclear. */
export type Blame = "recipient" | "sender" | "nobody";

export type Refused = {
  /** What the reporting server made of it: the field Status (RFC 3464 §2.3.4). */
  readonly status: string | null;
  /** What the refusing server said, as far as the report has it. */
  readonly diagnostic: string;
};

const ENHANCED = /(?:\b[245]\d\d[ -]|#|\(|^)\s*([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/;
const CODE = /(?:^|[\s:;>(])([245]\d\d)(?=[ -]|$)/;
/** "in reply to RCPT TO command" (Postfix), "after RCPT TO:<…>" (Exim). */
const AT_RECIPIENT = /\b(reply to|response to|after) RCPT\b/i;
const AT_CONTENT = /\b(reply to|response to|after) (the )?(end of )?DATA\b/i;
/** About the client that hands the mail over, even where something of it "does not exist". */
const ABOUT_CLIENT = /\b(sender|ptr|helo|ehlo|spf|dkim|dmarc|client host)\b|reverse|rdns|\byour (host|ip|server)\b/i;
/** "unknown in relay recipient table" speaks of the recipient all the same. */
const TABLE = /in (local|relay|virtual[\w ]*) recipient table/gi;
const UNKNOWN_RECIPIENT = new RegExp(
  [
    "(user|recipient|mailbox|address|account|local.?part)( name)? (is )?(unknown|not (known|found|recognized|listed))",
    "(unknown|no such|invalid|non-?existent|inactive|unrouteable) (local )?(user|recipient|mailbox|address|account|person|local.?part|email)",
    "(user|recipient|mailbox|address|account)[^.;]{0,60}(does(n't| not) exist|was(n't| not) found|couldn't be found|not found)",
    "(account|mailbox|user|address)( has been| is| was)? (disabled|deactivated|deleted|inactive|discontinued|no longer)",
    "no mailbox here|not our customer|no longer (works|here|available|with us)|not a (valid|known) (mailbox|user|recipient|address)",
    "does(n't| not) have an? [\\w. ]{0,40}account|no user by that name|recipient not found|mailbox unavailable or not local",
  ].join("|"),
  "i",
);

/** Codes go before words, and what the refusing server said before what others made of it. */
export function blameFor({ status, diagnostic }: Refused): Blame {
  const text = diagnostic.replace(/^\s*[\w-]+\s*;\s*/, "").replace(TABLE, "");
  const said = ENHANCED.exec(text)?.[1] ?? null;
  const enhanced = said ?? (status !== null && !status.endsWith(".0.0") ? status : null);
  if (enhanced === null) return byWords(text);
  if (enhanced.startsWith("5.7.")) return "sender";
  if (!RECIPIENT_FAULT.has(enhanced) || TOO_FAST.test(text)) return "nobody";
  // Some servers report 5.1.1 for every refusal of a recipient, whatever its reason.
  return said === null && isAboutUs(text) ? "nobody" : "recipient";
}

function byWords(text: string): Blame {
  const code = Number(CODE.exec(text)?.[1] ?? 0);
  if ((code > 0 && code < 500) || AT_CONTENT.test(text) || isAboutUs(text) || FULL.test(text)) return "nobody";
  if (UNKNOWN_RECIPIENT.test(text)) return "recipient";
  return BARE_RECIPIENT_FAULT.has(code) && AT_RECIPIENT.test(text) ? "recipient" : "nobody";
}

function isAboutUs(text: string): boolean {
  return ABOUT_CLIENT.test(text) || (ABOUT_US.test(text) && !UNKNOWN_RECIPIENT.test(text));
}
