// The promise held against the evidence: what was answered 200 arrives; what arrives twice was in hand at a kill.
import type { Exchange } from "./book.ts";
import type { StoredMail } from "./database.ts";
import type { Arrival } from "./sink.ts";

export type Evidence = {
  readonly exchanges: readonly Exchange[];
  readonly arrivals: readonly Arrival[];
  /** Ids of the mails that a run of the server had in hand when it ended, one set a run. */
  readonly inHand: readonly ReadonlySet<string>[];
  /** All mails of the database at the end. */
  readonly mails: readonly StoredMail[];
  /** When a database server was away: what was handed over then, or just before, could not be recorded. */
  readonly outages?: readonly Outage[];
  /** Recipients that the next hop would not take for good. */
  readonly refused?: ReadonlySet<string>;
  /** The next hop does not answer for every message. */
  readonly keepsSilent?: boolean;
};

/** In Unix time. */
export type Outage = { readonly fromMs: number; readonly toMs: number };

/** A mail that has arrived is recorded within this time, in the busiest hour of the slowest machine. */
const LONGEST_RECORDING_MS = 1_000;

/** Everything in which the evidence breaks the promise, in words; empty = the promise was kept. */
export function faultsIn(evidence: Evidence): string[] {
  return [
    ...lost(evidence),
    ...foreign(evidence),
    ...repeated(evidence),
    ...unsettled(evidence),
    ...notWhole(evidence),
  ];
}

export type Duplicate = { readonly before: Arrival; readonly again: Arrival };

/** Every arrival for a recipient beyond the first, with the one before it. Each recipient is written to once. */
export function duplicatesIn(arrivals: readonly Arrival[]): Duplicate[] {
  const byRecipient = [...Map.groupBy(arrivals, ({ recipient }) => recipient).values()];
  return byRecipient.flatMap((ofOne) =>
    ofOne.slice(1).map((again, place) => ({ before: ofOne[place] as Arrival, again })),
  );
}

function lost({ exchanges, arrivals, mails, refused = new Set(), keepsSilent = false }: Evidence): string[] {
  const arrived = new Set(arrivals.map(({ id }) => id));
  const isOver = ({ recipient, status }: StoredMail) =>
    refused.has(recipient) || (keepsSilent && status === "PERHAPS_DELIVERED");
  const over = new Set(mails.filter(isOver).map(({ id }) => id));
  const accepted = exchanges.flatMap(({ ids }) => ids ?? []);
  const missing = accepted.filter((id) => !arrived.has(id) && !over.has(id));
  return missing.map((id) => `${id} was accepted and never arrived`);
}

function foreign({ arrivals, mails }: Evidence): string[] {
  const recipients = new Map(mails.map(({ id, recipient }) => [id, recipient]));
  const strangers = arrivals.filter(({ id, recipient }) => recipients.get(id) !== recipient);
  return strangers.map(
    ({ messageId, recipient }) => `${messageId} arrived for ${recipient} and is no mail of the database`,
  );
}

/**
 * A mail may arrive again only if what handed it over could not record that: it had been ended, or its database had.
 */
function repeated(evidence: Evidence): string[] {
  return duplicatesIn(evidence.arrivals).flatMap(({ before, again }) => {
    const { id, recipient, messageId, run } = again;
    const faults: string[] = [];
    if (messageId !== before.messageId) faults.push(`${recipient} got ${before.messageId}, then ${messageId}`);
    if (before.unanswered || couldNotBeRecorded(before, evidence)) return faults;
    if (run === before.run) faults.push(`${id} arrived twice in run ${run}`);
    else if (!evidence.inHand[before.run]?.has(id))
      faults.push(`${id} arrived again and was not in hand after run ${before.run}`);
    return faults;
  });
}

function couldNotBeRecorded({ atMs }: Arrival, { outages = [] }: Evidence): boolean {
  return outages.some(({ fromMs, toMs }) => atMs >= fromMs - LONGEST_RECORDING_MS && atMs <= toMs);
}

function unsettled({ mails, refused = new Set(), keepsSilent = false }: Evidence): string[] {
  const isOver = ({ status, sentEvents, recipient }: StoredMail) =>
    (status === "SENT" && sentEvents === 1) ||
    (keepsSilent && status === "PERHAPS_DELIVERED" && sentEvents === 0) ||
    (["BOUNCED", "FAILED"].includes(status) && refused.has(recipient));
  const wrong = mails.filter((mail) => !isOver(mail));
  return wrong.map(({ id, status, sentEvents }) => `${id} ended as ${status} with ${sentEvents} email.sent`);
}

/** A request has one mail for each recipient, or none at all: if it was refused, and maybe if it was never answered. */
function notWhole({ exchanges, mails }: Evidence): string[] {
  const stored = Map.groupBy(mails, ({ recipient }) => recipient);
  return exchanges.flatMap(({ recipients, ids }) => {
    const found = recipients.map((recipient) => (stored.get(recipient) ?? []).map(({ id }) => id).join("+"));
    const whole =
      ids === null
        ? found.every((id) => id === "") || found.every((id) => /^[^+]+$/.test(id))
        : found.filter((id) => id !== "").join() === ids.join();
    return whole ? [] : [`The request for ${recipients} was answered with ${ids} and left ${found}`];
  });
}
