// Why marketing mail is not sent to a contact: one word each for programs, and the sentence that the mail keeps.
import type { AppError } from "../../../base/errors.ts";

export const SKIP_REASONS = {
  unsubscribed: "The recipient is not subscribed to marketing email.",
  topic: "The recipient has left the topic of this email.",
  paused: "The recipient has paused marketing email.",
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;

/** The reason for a skipped mail, from the door's refusal. */
export function skippedBy({ details }: AppError): string {
  if (details.reason === "paused") return SKIP_REASONS.paused;
  return SKIP_REASONS[details.reason === "left_topic" ? "topic" : "unsubscribed"];
}

/** The word for a skipped mail's stored error. */
export function skipReasonIn(error: string | null): SkipReason | "suppressed" {
  // In the words of `whySuppressed` (suppressions/suppression.ts).
  if (/^The (address|domain) is suppressed/.test(error ?? "")) return "suppressed";
  return (Object.keys(SKIP_REASONS) as SkipReason[]).find((reason) => SKIP_REASONS[reason] === error) ?? "unsubscribed";
}
