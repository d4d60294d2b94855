// The guards of the hand-over, in the order in which a claimed mail passes them (drawn in src/sending/README.md). Much
// may have changed since the mail was accepted, or claimed: an unsubscribe wins over the queue.
import { whySuppressed } from "../../audience/suppressions/standing.ts";
import { isPaused } from "../../audience/contacts/pause.ts";
import { domainOf } from "../../base/addresses.ts";
import { iso, type Clock } from "../../base/clock.ts";
import { discard, withdraw } from "../../mail/emails/actions/cancel.ts";
import { endRepeats, release, hold, isErased, markFailed, park, skip } from "../../mail/emails/email.ts";
import { RATES_EVERY_MS } from "../../mail/emails/health/watch.ts";
import type { MailToSend } from "../../mail/emails/queries.ts";
import { SKIP_REASONS } from "../../mail/emails/refusals/skip-reasons.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { LargeParts } from "../carrier/large-parts.ts";
import type { HandoverOutcome } from "../carrier/transport/transport.ts";
import type { OpenWay } from "../open-ways/open-way.ts";
import type { WayChoice } from "../open-ways/way-choice.ts";
import type { Claims } from "./claims.ts";
import type { PaceKeeper } from "./pace/pacing.ts";

export type GuardOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly claims: Claims;
  readonly pacing: PaceKeeper;
  readonly ways: WayChoice;
};

type GuardContext<Parts> = { readonly options: GuardOptions; readonly way: OpenWay; readonly parts: Parts };

/** Null = the mail goes on; "kept" = it does not leave now, which is recorded; else the outcome without an attempt. */
type GuardVerdict = "kept" | HandoverOutcome | null;
/** A promise only if something is asked or written. */
type Guard<Parts = null> = (mail: MailToSend, at: GuardContext<Parts>) => GuardVerdict | Promise<GuardVerdict>;

/** Before the mail takes a connection: mail that came from a backlog does not return there. */
export const BEFORE_CONNECTION: readonly Guard[] = [waitsForPace];
/** With a connection, for a reading that is a second old at most. */
export const WHEN_READ: readonly Guard[] = [isLost, mayNotLeave];
/** At the mail's slot. */
export const AT_ITS_SLOT: readonly Guard<LargeParts>[] = [lacksParts, goesElsewhere];

/** The verdict of the first guard that stops the mail; null = none does. */
export function verdictOf<Parts>(
  guards: readonly Guard<Parts>[],
  mail: MailToSend,
  at: GuardContext<Parts>,
): GuardVerdict | Promise<GuardVerdict> {
  for (const [index, guard] of guards.entries()) {
    const verdict = guard(mail, at);
    if (verdict instanceof Promise) return verdict.then((said) => said ?? verdictOf(guards.slice(index + 1), mail, at));
    if (verdict !== null) return verdict;
  }
  return null;
}

/** Mail that a limit holds waits in its backlog, and takes no connection from other mail. */
function waitsForPace(mail: MailToSend, { options: { pacing, claims }, way }: GuardContext<null>) {
  if (!pacing.concerns(mail.workspace, mail.kind === "MARKETING")) return null;
  return pacing.waitsFor(mail, way.options.name).then(async (backlog): Promise<GuardVerdict> => {
    if (backlog === null || !claims.isOwn(mail)) return null;
    await pacing.put(mail, backlog);
    return "kept";
  });
}

function isLost(mail: MailToSend, { options: { claims } }: GuardContext<null>): GuardVerdict {
  return claims.isOwn(mail) ? null : "kept";
}

function mayNotLeave(mail: MailToSend, { options: { store, clock } }: GuardContext<null>) {
  const now = iso(clock.nowMs());
  const reason = REASONS_IN_ORDER.find(({ is }) => is(mail, now));
  if (reason === undefined) return null;
  const { then } = reason;
  if (then === null) return "kept";
  const instead = mail.repeatsLeft === null ? then : endRepeats;
  return store.write((tx) => instead(tx, mail)).then(() => "kept" as const);
}

/** The mail and its content have been erased. */
function lacksParts({ attachments, messageId }: MailToSend, { parts }: GuardContext<LargeParts>): GuardVerdict {
  return parts.attachments.length < attachments || (messageId !== null && parts.raw === null) ? "kept" : null;
}

function goesElsewhere(mail: MailToSend, { options: { ways, pacing, clock }, way }: GuardContext<LargeParts>) {
  const receiver = pacing.receiverOf(domainOf(mail.toAddress));
  return ways.elsewhere(way, { ...mail, receiver }, clock.monotonicMs());
}

/** `then`: the transition; null = nothing is written. A mail that waits for a late repeat gets none instead. */
type ReasonToStay = {
  readonly is: (mail: MailToSend, now: string) => boolean;
  readonly then: ((tx: Tx, mail: MailToSend) => Promise<void>) | null;
};

const needsConsent = ({ kind, test }: MailToSend) => kind === "MARKETING" && !test;

const REASONS: Readonly<Record<string, ReasonToStay>> = {
  // The record of any other erased mail is deleted soon.
  erased: { is: (mail) => isErased(mail) && mail.campaign === null, then: null },
  erasedOfCampaign: { is: isErased, then: discard },
  workspaceDisabled: { is: ({ workspaceDisabledAt }) => workspaceDisabledAt !== null, then: park },
  campaignCancelled: { is: ({ campaignStatus }) => campaignStatus === "CANCELLED", then: withdraw },
  campaignPaused: { is: ({ campaignPaused }) => campaignPaused, then: hold },
  marketingStopped: {
    is: (mail) => needsConsent(mail) && mail.marketingStopped !== null,
    then: (tx, mail) => (mail.campaign === null ? release(tx, mail, iso(tx.nowMs + RATES_EVERY_MS)) : hold(tx, mail)),
  },
  unsubscribed: {
    is: (mail) => needsConsent(mail) && !mail.subscribed,
    then: (tx, mail) => skip(tx, mail, SKIP_REASONS.unsubscribed),
  },
  suppressed: {
    is: ({ suppression }) => suppression !== null,
    then: async (tx, mail) => {
      if (mail.suppression) await skip(tx, mail, whySuppressed(mail.suppression));
    },
  },
  leftTopic: {
    is: (mail) => needsConsent(mail) && mail.hasLeftTopic,
    then: (tx, mail) => skip(tx, mail, SKIP_REASONS.topic),
  },
  contactPaused: {
    is: (mail, now) => needsConsent(mail) && isPaused(mail, now),
    then: (tx, mail) => skip(tx, mail, SKIP_REASONS.paused),
  },
  domainNotVerified: {
    is: ({ domainVerifiedAt }) => domainVerifiedAt === null,
    then: (tx, mail) =>
      mail.campaign === null
        ? markFailed(tx, mail, "The sender's domain is no longer verified in this workspace.")
        : hold(tx, mail),
  },
};
const REASONS_IN_ORDER = Object.values(REASONS);
