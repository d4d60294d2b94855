// Erasing a contact (interface-gaps.md §3 "DELETE /contacts/{id}"): nobody finds it from the first moment on, and its mails, their
// contents and its events go with it; those of a long history piece by piece, so that nobody waits for the writer.
import type { Clock } from "../clock.ts";
import { withdrawContact } from "../contacts/contact.ts";
import type { Erasure } from "../contacts/suppression.ts";
import { forgetErasedBeforeImport } from "../contacts/suppression-queries.ts";
import { deleteStripped, lockContact } from "../contacts/queries.ts";
import { deleteEventsOfContact } from "../events/queries.ts";
import { forgetAnswersAbout } from "../http/idempotency.ts";
import { isStoreAway } from "../errors.ts";
import { backOffMs } from "../jobs/retry.ts";
import { Stride } from "../jobs/stride.ts";
import type { Log } from "../log.ts";
import { leaveAll } from "../segments/membership.ts";
import type { Store, Tx } from "../store/store.ts";
import {
  deleteMailsOfContact,
  deleteUnusedContents,
  detachCampaignMails,
  insertErasure,
  takeErasure,
} from "./erasure-queries.ts";
import { deleteRaw, insertToForget, messagesToForget } from "./raw-queries.ts";

/** Signalled when there is a history to erase, or a log that holds one. */
export const ERASING = "erasing";

/** Mails and events that go in the same change as the contact. */
const ROWS_AT_ONCE = 50;

/**
 * From here on the contact is unknown, in no segment, and nothing that is queued for it is sent. A mail in hand may still
 * leave; there is no record of it then, but for one of a campaign: that counts what became of it.
 * @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact
 */
export async function eraseContact(tx: Tx, workspace: number, id: string, erasure: Erasure = {}): Promise<void> {
  const contact = await withdrawContact(tx, workspace, id, erasure);
  await leaveAll(tx, [contact]);
  tx.signal(ERASING);
  if (!(await erasePiece(tx, contact, ROWS_AT_ONCE))) await insertErasure(tx, contact);
}

/** Up to `most` events, as many stored answers and mails of each kind; answers true when that was the rest, and then the contact is gone as well. */
async function erasePiece(tx: Tx, contact: number, most: number): Promise<boolean> {
  const answers = await forgetAnswersAbout(tx, contact, most);
  const events = await deleteEventsOfContact(tx, contact, most);
  const detached = await detachCampaignMails(tx, contact, most);
  const contents = await deleteMailsOfContact(tx, contact, most);
  if (contents.length > 0) await leaveContents(tx, [...new Set(contents)]);
  if ([answers, events, detached, contents.length].includes(most)) return false;
  await lockContact(tx, contact);
  await leaveAll(tx, [contact]);
  await deleteStripped(tx, contact);
  return true;
}

/** What others have got as well stays, but for a message that was handed in whole: its header may name all whom it went to. */
async function leaveContents(tx: Tx, contents: readonly number[]): Promise<void> {
  await deleteUnusedContents(tx, contents);
  if ((await insertToForget(tx, contents)) > 0) tx.signal(ERASING);
}

const MESSAGES_A_PIECE = 5;
/** Rows in one piece: one content may be a line, or ten megabytes. */
const PIECE = { first: ROWS_AT_ONCE, least: 1, most: 500, aimMs: 8 };
/** Another process may have left something without a signal. */
const LONGEST_REST_MS = 60_000;
/** Until whoever reads the log may have done so. */
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
  /** One whose history cannot be erased keeps those behind it from nothing: they come first until all have had their turn. */
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
        contact = await takeErasure(tx, this.#after);
        return contact === null ? null : this.#erase(tx, contact);
      });
      if (tookMs === null) return this.#fromTheStart();
      this.#stride.took(tookMs);
    } catch (error) {
      if (contact === null || isStoreAway(error)) throw error;
      log.error("what there is about a contact could not be erased and will be tried again", { contact, error });
      this.#after = contact;
    }
    return 0;
  }

  async #erase(tx: Tx, contact: number): Promise<number> {
    const { clock } = this.#options;
    const startMs = clock.monotonicMs();
    await erasePiece(tx, contact, this.#stride.length);
    return clock.monotonicMs() - startMs;
  }

  /** When all histories are gone; answers how long to rest before looking again. */
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
