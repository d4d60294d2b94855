// What a provider says of a mail that came back, judged by the same table as refusals and bounces by mail.
import { blameFor, type Blame } from "../emails/refusals/blame.ts";
import { oneLine } from "../emails/refusals/words.ts";
import type { Notice } from "../inbound/bounces/notice.ts";
import { spoken, withoutType } from "../inbound/bounces/report.ts";
import { firstOf } from "./provider.ts";

type Said = {
  /**
   * - `hard`: for good; the words of the refusing server, if there are any, say whose fault it is
   * - `soft`: not for good, and not tried again
   * - `blocked`: refused for another reason than the recipient, unless the words say otherwise
   * - `suppressed`: the provider did not try, as the address had bounced before
   * - `sender`: the provider did not try, because of us or of the message
   */
  readonly how: "hard" | "soft" | "blocked" | "suppressed" | "sender";
  /** What the refusing server said. */
  readonly words?: string;
  readonly code?: string;
  readonly status?: string;
  /** In the absence of words. */
  readonly fallback: string;
};

export const DELIVERED: Notice = { kind: "delivered", recipients: [] };
export const COMPLAINED: Notice = { kind: "complaint", recipients: [] };

/** A later server has put it off, and is asked again. */
export function delayed({
  words = "",
  status: code = "",
  fallback,
}: Pick<Said, "words" | "status" | "fallback">): Notice {
  const status = /^4\.\d{1,3}\.\d{1,3}$/.exec(code)?.[0] ?? null;
  const diagnostic = oneLine(firstOf(withoutType(words), fallback));
  return {
    kind: "delayed",
    recipients: [{ recipient: null, action: "delayed", status, diagnostic, blame: "passing" }],
  };
}

export function returned(said: Said): Notice {
  const words = withoutType(said.words ?? "");
  const status = /^[245]\.\d{1,3}\.\d{1,3}$/.exec(said.status ?? "")?.[0] ?? null;
  const diagnostic = oneLine(firstOf(words, said.fallback));
  const blame = blameOf(said, words, status);
  return { kind: "bounce", recipients: [{ recipient: null, action: "failed", status, diagnostic, blame }] };
}

function blameOf({ how, code = "" }: Said, words: string, status: string | null): Blame {
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
  const blame = blameFor({ ...known, words });
  return blame === "recipient" && how === "soft" ? "unclear" : blame;
}
