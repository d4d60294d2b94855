// Erases a contact (docs/erasure.md).
//
// In the change that is answered the contact is stripped: no address, no data, another id, so that only its seq finds
// it. The rest of its history is deleted in pieces of a few milliseconds, so that other writers need not wait; a row of
// `erasures` marks the remainder. The last piece removes the row itself and empties the log (`Store.emptyLog`). On
// PostgreSQL, transactions that add to a contact's history hold it by `tx.dialect.forReference`, so that it cannot be
// deleted at that moment.
//
// Each table declares what of it is erased, and how (`tables.ts` of its room).
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import type { Clock } from "../../base/clock.ts";
import { findContact, withdrawContact } from "../../audience/contacts/contact.ts";
import { deleteExpired, deleteStripped } from "../../audience/contacts/removal-queries.ts";
import { lockContact } from "../../audience/contacts/queries.ts";
import { forgetErasedBeforeImport } from "../../audience/contacts/suppression-queries.ts";
import { rememberErased, type Erasure } from "../../audience/contacts/suppression.ts";
import { forgetConsent } from "../../audience/consent/erasure.ts";
import { isStoreAway } from "../../base/errors.ts";
import { backOffMs } from "../../base/jobs/retry.ts";
import { Stride } from "../../base/jobs/stride.ts";
import type { Log } from "../../base/log.ts";
import { leaveAll } from "../../audience/segments/membership/membership.ts";
import type { Store, Tx } from "../../store/store.ts";
import { deleteUnusedContents } from "../../mail/emails/content/queries.ts";
import { deleteRaw, messagesToForget } from "../../mail/emails/content/raw-queries.ts";
import { ERASING } from "../../mail/emails/actions/erasure.ts";
import { personTables } from "../../store/table.ts";
import { addressesOf } from "../../audience/contacts/past/former-queries.ts";
import { takeFormers } from "../../audience/contacts/past/merge-queries.ts";
import { settleUndoing } from "./merging/undo.ts";
import * as queries from "./erasure-queries.ts";

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
  const [names, emails] = [[...ids], [] as string[]];
  for (const id of ids) {
    const { seq, email } = await findContact(tx, workspace, id);
    emails.push(email, ...(await addressesOf(tx, seq)));
    names.push(...(await queries.formerIdsOf(tx, seq)));
  }
  for (const { person } of personTables()) await person.onErase.named?.(tx, workspace, { ids: names, emails });
  for (const id of ids) await eraseContact(tx, workspace, id, erasure);
  tx.signal(ERASING);
}

async function eraseContact(tx: Tx, workspace: number, id: string, erasure: Erasure): Promise<void> {
  const known = await findContact(tx, workspace, id);
  await settleUndoing(tx, known.seq);
  // Former addresses are the person's as well: jobs may name one, and one may be suppressed.
  for (const email of await addressesOf(tx, known.seq)) await rememberErased(tx, workspace, email, erasure);
  const contact = await withdrawContact(tx, workspace, id, erasure);
  const formers = await takeFormers(tx, contact);
  for (const one of [contact, ...formers])
    for (const { person } of personTables()) await person.onErase.atOnce?.(tx, workspace, one);
  for (const former of formers) await queries.insertErasure(tx, former);
  if (!(await erasePiece(tx, contact, ROWS_AT_ONCE))) await queries.insertErasure(tx, contact);
}

/** Deletes up to `most` rows of each kind; answers true when that was the rest, and the contact is deleted too. */
async function erasePiece(tx: Tx, contact: number, most: number): Promise<boolean> {
  for (const { person } of personTables())
    if ((await person.onErase.inPieces?.(tx, contact, most)) === most) return false;
  await lockContact(tx, contact);
  await leaveAll(tx, [contact]);
  await deleteStripped(tx, contact);
  return true;
}

const MESSAGES_A_PIECE = 5;
/** Rows in one piece; a content may be a line, or ten megabytes. */
const PIECE = { first: ROWS_AT_ONCE, least: 1, most: 500, aimMs: 8 };
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
    return this.#faults > 0 ? backOffMs(this.#faults) : NOTHING_DUE;
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
