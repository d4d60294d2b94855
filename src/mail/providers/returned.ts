// A provider's report of a returned mail, judged by the same table as refusals and bounces by mail.
import { parseAddress } from "../../base/addresses.ts";
import { blameFor, blameForGood, isDeadDomain, type Blame } from "../emails/refusals/blame.ts";
import { oneLine } from "../emails/refusals/words.ts";
import type { DeliveryNotice } from "../inbound/bounces/notice.ts";
import { spoken, withoutType } from "../inbound/bounces/report.ts";
import { firstOf } from "./provider.ts";

type ProviderRefusal = {
  /**
   * - `hard`: for good, and no other mail to the address is tried; the refusing server's words, if given, may show that
   *   it was about us or temporary
   * - `soft`: not for good, and not retried
   * - `blocked`: refused for another reason than the recipient, unless the words show otherwise
   * - `suppressed`: the provider did not try, as the address had bounced before
   * - `sender`: the provider did not try, because of us or of the message
   */
  readonly how: "hard" | "soft" | "blocked" | "suppressed" | "sender";
  /** The recipient, in the provider's spelling. */
  readonly recipient?: string;
  /** The refusing server's reply. */
  readonly words?: string;
  readonly code?: string;
  readonly status?: string;
  /** Used in the absence of words. */
  readonly fallback: string;
};

export const DELIVERED: DeliveryNotice = { kind: "delivered", recipients: [] };
export const COMPLAINED: DeliveryNotice = { kind: "complaint", recipients: [] };

/** Types of feedback that are not complaints of the person (RFC 5965 §7.3, RFC 6430, RFC 6591). */
const NO_COMPLAINTS = new Set(["not-spam", "virus", "auth-failure"]);

/** Judged by the type of feedback, if the provider passes it on. Null: the person has not complained. */
export function complained(feedbackType: string): DeliveryNotice | null {
  return NO_COMPLAINTS.has(feedbackType.toLowerCase()) ? null : COMPLAINED;
}

/** The person has unsubscribed, in the provider's `words`. */
export function unsubscribed(words: string): DeliveryNotice {
  return { kind: "unsubscribed", recipients: [], said: oneLine(words) };
}

/** The reasons for an address on a provider's list, in the provider's words. */
const LISTED_FOR: readonly (readonly [NonNullable<DeliveryNotice["listed"]> | "bounced", RegExp])[] = [
  ["complained", /complain|\bspam[- ]?report|report\w*( \S+){0,6} (as )?spam\b|marked( \S+){0,6} spam\b/i],
  [
    "unsubscribed",
    /unsubscri|\bopt(ed|s)?[- ]?out\b|(black|block|deny) ?-?list(ed)? (user|contact|recipient|address)|manual(ly)?[- ]?(suppress|deactivat|block)|customer policy|(user|contact|recipient|address) (is |was |has been )?(black|block|deny) ?-?listed/i,
  ],
  [
    "bounced",
    /(?<!soft[- ]?)\bbounce|\binvalid (e-?mail|address|recipient|mailbox)|: invalid$|\binactive\b|system policy|not exist|unknown (user|recipient|mailbox)|user unknown/i,
  ],
];

/**
 * Not tried because of the provider's own list: the words show whether the person had unsubscribed, or complained, or
 * the address had bounced. Without one of these reasons, or with several, `said.how` counts.
 */
export function refusedByList(said: ProviderRefusal): DeliveryNotice {
  const words = firstOf(said.words, said.fallback);
  const [listed, ...others] = LISTED_FOR.filter(([, known]) => known.test(words)).map(([why]) => why);
  if (listed === undefined || others.length > 0) return returned(said);
  if (listed === "bounced") return returned({ ...said, how: "suppressed" });
  return { ...returned({ ...said, how: "blocked", words: "" }), listed };
}

/** A later server has deferred it, and the provider retries. */
export function delayed({
  words = "",
  status: code = "",
  fallback,
}: Pick<ProviderRefusal, "words" | "status" | "fallback">): DeliveryNotice {
  const status = /^4\.\d{1,3}\.\d{1,3}$/.exec(code)?.[0] ?? null;
  const diagnostic = oneLine(firstOf(withoutType(words), fallback));
  return {
    kind: "delayed",
    recipients: [{ recipient: null, action: "delayed", status, diagnostic, blame: "passing" }],
  };
}

export function returned(said: ProviderRefusal): DeliveryNotice {
  const words = withoutType(said.words ?? "");
  const status = /^[245]\.\d{1,3}\.\d{1,3}$/.exec(said.status ?? "")?.[0] ?? null;
  const diagnostic = oneLine(firstOf(words, said.fallback));
  const blame = blameOf(said, words, status);
  return { kind: "bounce", recipients: [{ recipient: null, action: "failed", status, diagnostic, blame }] };
}

function blameOf({ how, code = "", recipient = "" }: ProviderRefusal, words: string, status: string | null): Blame {
  if (how === "suppressed") return "recipient";
  if (how === "sender") return "sender";
  const heard = spoken(words);
  const isExplained = words !== "" || status !== null;
  if (!isExplained) return how === "hard" ? "recipient" : "unclear";
  const known = {
    ...heard,
    code: heard.code || Number(/^[45]\d\d$/.exec(code)?.[0] ?? 0),
    status: heard.status ?? status,
  };
  const address = parseAddress(recipient);
  const blame = (how === "hard" ? blameForGood : blameFor)({ ...known, words, recipient: address });
  const isSoft = how === "soft" && !(address !== null && isDeadDomain(words, address));
  return blame === "recipient" && isSoft ? "unclear" : blame;
}
