// The check whether a mail may still leave, just before the hand-over: much may have changed since it was accepted.
import { iso } from "../../base/clock.ts";
import { isPaused } from "../../audience/contacts/pause.ts";
import { discard, withdraw } from "../../mail/emails/actions/cancel.ts";
import { endRepeats, release, hold, isErased, markFailed, park, skip } from "../../mail/emails/email.ts";
import { RATES_EVERY_MS } from "../../mail/emails/health/watch.ts";
import type { MailToSend } from "../../mail/emails/queries.ts";
import { SKIP_REASONS } from "../../mail/emails/skip-reasons.ts";
import { whySuppressed } from "../../audience/suppressions/standing.ts";
import type { Tx } from "../../store/store.ts";

/** The transition of a mail that may not leave; null = it may. */
export function insteadOfLeaving(mail: MailToSend, now: string): ((tx: Tx) => Promise<void>) | null {
  const instead = insteadOfFirst(mail, now);
  return instead && mail.repeatsLeft !== null ? (tx) => endRepeats(tx, mail) : instead;
}

function insteadOfFirst(mail: MailToSend, now: string): ((tx: Tx) => Promise<void>) | null {
  if (isErased(mail)) return (tx) => discard(tx, mail);
  if (mail.workspaceDisabledAt) return (tx) => park(tx, mail);
  if (mail.campaignStatus === "CANCELLED") return (tx) => withdraw(tx, mail);
  if (mail.campaignPaused) return (tx) => hold(tx, mail);
  const needsConsent = mail.kind === "MARKETING" && !mail.test;
  if (needsConsent && mail.marketingStopped !== null)
    return (tx) => (mail.campaign === null ? release(tx, mail, iso(tx.nowMs + RATES_EVERY_MS)) : hold(tx, mail));
  if (needsConsent && !mail.subscribed) return (tx) => skip(tx, mail, SKIP_REASONS.unsubscribed);
  const { suppression } = mail;
  if (suppression) return (tx) => skip(tx, mail, whySuppressed(suppression));
  if (needsConsent && mail.hasLeftTopic) return (tx) => skip(tx, mail, SKIP_REASONS.topic);
  if (needsConsent && isPaused(mail, now)) return (tx) => skip(tx, mail, SKIP_REASONS.paused);
  if (mail.domainVerifiedAt) return null;
  if (mail.campaign !== null) return (tx) => hold(tx, mail);
  return (tx) => markFailed(tx, mail, "The sender's domain is no longer verified in this workspace.");
}
