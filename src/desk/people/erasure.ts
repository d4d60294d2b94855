// Erases a contact (docs/erasure.md).
//
// In the change that is answered the contact is stripped: no address, no data, another id, so that only its seq finds
// it. The rest of its history is deleted in pieces of a few milliseconds, so that other writers need not wait; a row of
// `erasures` marks the remainder. The last piece removes the row itself and empties the log (`Store.emptyLog`). On
// PostgreSQL, transactions that add to a contact's history hold it by `tx.dialect.forReference`, so that it cannot be
// deleted at that moment.
//
// Mails of a campaign stay without their person, for its counters (`isErased`). A message submitted for several people
// is deleted when the last of its mails is settled (`messages_to_forget`). Stored answers that name the person are
// deleted too (`answers_about`).
import type { Clock } from "../../base/clock.ts";
import { findContact, withdrawContact } from "../../audience/contacts/contact.ts";
import { deleteExpired, deleteStripped } from "../../audience/contacts/removal-queries.ts";
import { lockContact } from "../../audience/contacts/queries.ts";
import { forgetErasedBeforeImport } from "../../audience/contacts/suppression-queries.ts";
import { forgetErrorsNaming, rememberErased, type Erasure } from "../../audience/contacts/suppression.ts";
import { forgetConsent } from "../../audience/consent/erasure.ts";
import { isStoreAway } from "../../base/errors.ts";
import { forgetParked } from "../../tenant/events/outbox.ts";
import { deleteEventsOfContact } from "../../tenant/events/queries.ts";
import { forgetAnswersAbout } from "../../http/kept-answers.ts";
import { backOffMs } from "../../base/jobs/retry.ts";
import { Stride } from "../../base/jobs/stride.ts";
import type { Log } from "../../base/log.ts";
import { withoutAddresses } from "../../audience/segments/condition/naming.ts";
import { deleteAnswersAt, deleteAnswersOf } from "../../programs/forms/answer-queries.ts";
import { forgetInSegments } from "../../audience/segments/forget.ts";
import { leaveAll } from "../../audience/segments/membership/membership.ts";
import type { Store, Tx } from "../../store/store.ts";
import { deleteUnusedContents } from "../../mail/emails/content/queries.ts";
import { countCancelled } from "../../mail/emails/actions/cancel.ts";
import { deleteRaw, insertToForget, messagesToForget } from "../../mail/emails/content/raw-queries.ts";
import { addressesOf } from "./merging/address-queries.ts";
import { deleteNotesOf } from "../notes/queries.ts";
import { forgetNames } from "../../operator/team/audit/audit-queries.ts";
import { takeFormers } from "./merging/queries.ts";
import { settleUndoing } from "./merging/undo.ts";
import { forgetImported } from "../../audience/contacts/past/imported-queries.ts";
import { deleteViewsNaming } from "../views/queries.ts";
import { forgetInWorkflows } from "../../programs/workflows/definition/forget.ts";
import { deleteEventsAbout } from "../../programs/webhooks/endpoints/replay-queries.ts";
import * as queries from "./erasure-queries.ts";

/** Signalled when there is a history to erase, or a log that holds one. */
export const ERASING = "erasing";

/** The most mails and events that are deleted in the same transaction as the contact. */
const ROWS_AT_ONCE = 50;

/**
 * Erases contacts: from then on they are unknown, in no segment, and no queued mail is sent to them. A mail in hand may
 * still leave, without a record, unless it is a campaign's: that counts its outcome. Rows that may name any of them are
 * read once for all.
 * @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact
 */
export async function eraseContacts(
  tx: Tx,
  workspace: number,
  ids: readonly string[],
  erasure: Erasure = {},
): Promise<void> {
  const emails: string[] = [];
  for (const id of ids) {
    const { seq, email } = await findContact(tx, workspace, id);
    emails.push(email, ...(await addressesOf(tx, seq)));
  }
  for (const name of [...ids, ...emails]) await deleteViewsNaming(tx, workspace, name);
  for (const forget of [forgetErrorsNaming, forgetInSegments, forgetInAudiences, deleteAnswersAt, forgetInWorkflows])
    await forget(tx, workspace, emails);
  for (const id of ids) await eraseContact(tx, workspace, id, erasure);
  tx.signal(ERASING);
}

async function eraseContact(tx: Tx, workspace: number, id: string, erasure: Erasure): Promise<void> {
  const known = await findContact(tx, workspace, id);
  await forgetNames(tx, workspace, [id, ...(await queries.formerIdsOf(tx, known.seq))]);
  await settleUndoing(tx, known.seq);
  // Former addresses are the person's as well: jobs may name one, and one may be suppressed.
  for (const email of await addressesOf(tx, known.seq))
    await rememberErased(tx, workspace, { ...known, email }, erasure);
  const contact = await withdrawContact(tx, workspace, id, erasure);
  await leaveAll(tx, [contact]);
  await deleteAnswersOf(tx, contact);
  await deleteNotesOf(tx, contact);
  for (const former of await takeFormers(tx, contact)) {
    await forgetImported(tx, workspace, former);
    await queries.insertErasure(tx, former);
  }
  if (!(await erasePiece(tx, contact, ROWS_AT_ONCE))) await queries.insertErasure(tx, contact);
}

async function forgetInAudiences(tx: Tx, workspace: number, emails: readonly string[]): Promise<void> {
  for (const { seq, condition } of await queries.audiencesWithAddresses(tx, workspace)) {
    const without = JSON.stringify(withoutAddresses(JSON.parse(condition) as unknown, emails));
    if (without !== condition) await queries.setAudience(tx, seq, without);
  }
}

/**
 * Deletes up to `most` events, stored answers and mails of each kind; answers true when that was the rest, and the
 * contact is deleted too.
 */
async function erasePiece(tx: Tx, contact: number, most: number): Promise<boolean> {
  const answers = await forgetAnswersAbout(tx, contact, most);
  const events = await deleteEventsOfContact(tx, contact, most);
  const told = await deleteEventsAbout(tx, contact, most);
  await forgetParked(tx, contact);
  if (events === most || told === most) return false;
  const detached = await queries.detachCampaignMails(tx, contact, most);
  const mails = await queries.deleteMailsOfContact(tx, contact, most);
  countCancelled(
    tx,
    mails.filter(({ status }) => status === "QUEUED" || status === "SENDING"),
  );
  if (mails.length > 0) await leaveContents(tx, [...new Set(mails.map(({ content }) => content))]);
  if ([answers, detached, mails.length].includes(most)) return false;
  await lockContact(tx, contact);
  await leaveAll(tx, [contact]);
  await deleteStripped(tx, contact);
  return true;
}

/**
 * A content that others received too stays, unless it is a complete message, whose header may name all its recipients.
 */
async function leaveContents(tx: Tx, contents: readonly number[]): Promise<void> {
  await deleteUnusedContents(tx, contents);
  if ((await insertToForget(tx, contents)) > 0) tx.signal(ERASING);
}

const MESSAGES_A_PIECE = 5;
/** Rows in one piece; a content may be a line, or ten megabytes. */
const PIECE = { first: ROWS_AT_ONCE, least: 1, most: 500, aimMs: 8 };
/** Another process may have left work without a signal. */
const LONGEST_REST_MS = 60_000;
/** The rest until readers of the log may be done. */
const LOG_READ_REST_MS = 1_000;

type EraserOptions = { readonly store: Store; readonly clock: Clock; readonly log: Log };

async function forgetMessages(tx: Tx): Promise<number> {
  await forgetErasedBeforeImport(tx);
  const contents = await messagesToForget(tx, MESSAGES_A_PIECE);
  if (contents.length > 0) await deleteRaw(tx, contents);
  return contents.length;
}

export class Eraser {
  readonly #options: EraserOptions;
  readonly #stride = new Stride(PIECE);
  /** A history that cannot be erased does not hold up others: they come first until all have had their turn. */
  #after = 0;
  #faults = 0;
  /** At the start as well: the last process may have ended before it was done. */
  #isInLog = true;

  constructor(options: EraserOptions) {
    this.#options = options;
    options.store.onSignal((what) => (this.#isInLog ||= what === ERASING));
  }

  /** Erases a piece of one contact's history; answers how long there will be none. */
  async step(): Promise<number> {
    const { store, log } = this.#options;
    let contact: number | null = null;
    try {
      const tookMs = await store.write(async (tx) => {
        contact = await queries.takeErasure(tx, this.#after);
        return contact === null ? null : this.#erase(tx, contact);
      });
      if (tookMs === null) return this.#fromTheStart();
      this.#stride.took(tookMs);
    } catch (error) {
      if (contact === null || isStoreAway(error)) throw error;
      log.error("the data of a contact could not be erased; trying again later", { contact, error });
      this.#after = contact;
    }
    return 0;
  }

  async #erase(tx: Tx, contact: number): Promise<number> {
    const { clock } = this.#options;
    const startMs = clock.monotonicMs();
    await erasePiece(tx, contact, this.#stride.lengthOn(tx.dialect.name));
    return clock.monotonicMs() - startMs;
  }

  /** All histories are erased; answers how long to wait before the next check. */
  async #fromTheStart(): Promise<number> {
    if ((await this.#options.store.write(forgetMessages)) > 0) return 0;
    if (!(await this.#emptyLog())) return LOG_READ_REST_MS;
    this.#faults = this.#after > 0 ? this.#faults + 1 : 0;
    this.#after = 0;
    return this.#faults > 0 ? backOffMs(this.#faults) : LONGEST_REST_MS;
  }

  async #emptyLog(): Promise<boolean> {
    if (!this.#isInLog) return true;
    this.#isInLog = false;
    const isEmpty = await this.#options.store.emptyLog().catch((error: unknown) => {
      this.#isInLog = true;
      throw error;
    });
    this.#isInLog ||= !isEmpty;
    return isEmpty;
  }
}

/** Deletes up to `most` contacts that have not confirmed in time, with their mails; answers how many. */
export function removeExpired(store: Store, most: number): Promise<number> {
  return store.write(async (tx) => {
    const signUps = await queries.expiredSignUps(tx, most);
    if (signUps.length === 0) return 0;
    for (const { workspace, ...contact } of signUps)
      await forgetConsent(tx, { workspace, contact, what: "expired", act: { door: "clock" } });
    const expired = signUps.map(({ seq }) => seq);
    const contents = new Set((await queries.contentsOfContacts(tx, expired)).map(({ content }) => content));
    await leaveAll(tx, expired);
    await deleteExpired(tx, expired);
    if (contents.size > 0) await deleteUnusedContents(tx, [...contents]);
    return expired.length;
  });
}
