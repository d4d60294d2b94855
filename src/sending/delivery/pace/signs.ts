// The signs about our pace in an answer: mailbox providers demand less mail, or take none because of our reputation.
import { bareWords, TOO_MUCH } from "../../../mail/emails/refusals/words.ts";
import { aboutWay } from "../../carrier/transport/about-way.ts";
import type { HandoverOutcome } from "../../carrier/transport/transport.ts";

/**
 * `slow`: send less. `blocked`: none of our mail is taken, because of our address or domain. `spam`: perhaps blocked,
 * or refused for this mail's content. `deferred`: later, for another reason.
 */
export type PaceSign = "slow" | "blocked" | "spam" | "deferred";

/** RFC 3463 §3.8 as a temporary code, and the code with which a server ends a session (RFC 5321 §4.2.3). */
const SLOW_CODE = /^421\b|^4\d\d 4\.7\.\d/;
/** A server that does not know us yet: the next attempt gets through. */
const GREYLISTED = /gr[ea]y-?list/i;
/** Surely about the address or the domain that we send from, even if the answer also mentions the mail. */
const OUR_ADDRESS =
  /\b(your|our|sending|sender|client|connecting|source|remote)('s)? (e-?mail )?(ip|host|server|address|network|mta|domain)\b[^.;]{0,60}\b(reputation|blocked|banned|listed|denied|rejected)|\breputation (of|for) (the |your |this )?(sending |sender'?s? |client |connecting )?(ip|host|server|domain|network|address)|\b(blocked|banned|denied|rejected)\b[^.;]{0,60}\b(your|sending|client|connecting|source)('s)? (ip|host|server|network)\b|\bip( address)?:?[= ]?\[?\d{1,3}(\.\d{1,3}){3}\]?[^.;]{0,60}\b(blocked|banned|listed|rejected|denied)|\b(banned|blocked|listed)\b[^.;]{0,40}\bip\b|\bip=\d{1,3}(\.\d{1,3}){3} - |\bpart of their network\b|\(S3[01]\d\d\)|\[(BL2\d|TSS\d\d)\]/i;
/** About the content of this mail: another one may be taken. */
const CONTENT =
  /\bcontents?\b|\battachments?\b|\bur[li]s?\b|\blinks?\b|\bvirus|\bmalware|\bphish|\bthis (e-?mail|message)\b|\b(message|e-?mail|mail) (was |has been |is )?(blocked|rejected|refused|flagged|identified|classified|considered)|\[(CS|HM)\d\d\]|\b(surbl|uribl)\b/i;
const BLOCKED =
  /\breputation\b|\b(block|black|deny)[ -]?list|\bblocked\b|\bbanned\b|\b(spamhaus|spamcop|barracuda|sorbs|invaluement)\b|\baccess denied\b.{0,40}\bip\b/i;
/** About a sender without authentication: another domain's mail is taken. */
const UNPROVEN = /\b5\.7\.2[0-9]\b|\bunauthenticated\b|\b(spf|dkim|dmarc)\b/i;
const SPAM = /\bunsolicited\b|\bspam\b|\blocal polic(y|ies)\b/i;

/** The sign in an answer about one mail; null = it says nothing about our pace. */
export function signOf(outcome: HandoverOutcome): PaceSign | null {
  if (outcome.kind === "accepted" || outcome.isLocal || outcome.isTakenOver || outcome.isLost) return null;
  if (aboutWay(outcome) !== null) return null;
  const { kind, reply } = outcome;
  if (kind === "later") return isSlow(reply) ? "slow" : "deferred";
  if (kind !== "failed") return null;
  return reputationIn(reply);
}

/** The sign in a report about a mail that the relay had accepted. */
export function signOfReport(reason: string): PaceSign | null {
  if (/^421\b|\b4\.7\.\d/.test(reason) && isSlow(reason)) return "slow";
  return reputationIn(reason);
}

function isSlow(reply: string): boolean {
  return (
    (SLOW_CODE.test(reply) || /\b4\.7\.\d/.test(reply) || TOO_MUCH.test(bareWords(reply))) && !GREYLISTED.test(reply)
  );
}

/** RFC 3463 §3.8, and the words beside it: authentication has codes there as well. */
function reputationIn(reply: string): PaceSign | null {
  if (!/\b5\.7\.\d/.test(reply) && !/^55\d\b/.test(reply)) return null;
  if (OUR_ADDRESS.test(reply)) return "blocked";
  if (UNPROVEN.test(reply)) return null;
  if (!BLOCKED.test(reply)) return SPAM.test(reply) ? "spam" : null;
  return CONTENT.test(reply) ? "spam" : "blocked";
}
