// The scheduled mail and campaigns of a key set, also of a revoked one: counted, and cancelled with it. The mails of a
// key are searched among all that wait in its workspace, in pieces: other work never waits for more than one piece.
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { iso } from "../../../base/clock.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import type { Reader, Store, Tx } from "../../../store/store.ts";
import { cancelEach } from "../actions/cancel.ts";
import { deletePrivateData } from "../content/queries.ts";
import { HEAPS } from "../queue/holds.ts";
import * as queries from "./queries.ts";
import type { MailOfKey, HeapRange } from "./queries.ts";

const LOOKED_AT_ONCE = 5_000;
const CANCELLED_AT_ONCE = 200;

/** `key`: the public id of a set. */
export type KeyOf = { readonly workspace: number; readonly key: string };

export async function countScheduled(store: Store, of: KeyOf): Promise<number> {
  const now = iso(store.clock.nowMs());
  let count = 0;
  for await (const more of stretches(store, of.workspace, (reader, stretch, last) =>
    queries.countScheduledIn(reader, { ...stretch, key: of.key, now }, last),
  ))
    count += more;
  return count;
}

export type CancellationResult = {
  readonly cancelled: number;
  /** Mails of the set that were being handed over, and stay untouched. */
  readonly inHand: number;
};

/**
 * Cancels mails that wait for a time after the start of this call. A mail that leaves or is cancelled meanwhile stays
 * untouched.
 */
export async function cancelScheduled(store: Store, of: KeyOf, by: ChangeAuthor): Promise<CancellationResult> {
  const now = iso(store.clock.nowMs());
  let [cancelled, inHand] = [0, 0];
  for await (const mails of stretches(store, of.workspace, (reader, stretch, last) =>
    queries.mailsOfKeyIn(reader, { ...stretch, key: of.key, now }, last),
  )) {
    const waiting = mails.filter((mail) => mail.isInHand === 0);
    inHand += mails.length - waiting.length;
    for (let from = 0; from < waiting.length; from += CANCELLED_AT_ONCE) {
      const some = waiting.slice(from, from + CANCELLED_AT_ONCE);
      cancelled += await store.write((tx) => cancelSome(tx, { workspace: of.workspace, by }, some));
    }
  }
  return { cancelled, inHand };
}

type Canceller = { readonly workspace: number; readonly by: ChangeAuthor };

async function cancelSome(tx: Tx, { workspace, by }: Canceller, mails: readonly MailOfKey[]): Promise<number> {
  const seqs = mails.map(({ seq }) => seq);
  const cancelled = await cancelEach(tx, seqs, by);
  await deletePrivateData(tx, [...new Set(mails.map(({ content }) => content))]);
  notifyChange(tx, "mails", workspace);
  return cancelled;
}

type HeapReader<Found> = (reader: Reader, stretch: HeapRange, last: number) => Promise<Found>;

/** The results of `look` for each stretch of the workspace's queue. */
async function* stretches<Found>(store: Store, workspace: number, look: HeapReader<Found>): AsyncGenerator<Found> {
  for (const heap of HEAPS)
    for (let after = 0; ;) {
      const stretch = { workspace, heap, after };
      const readStretch = async (reader: Reader) => {
        const last = await queries.endOfStretch(reader, stretch, LOOKED_AT_ONCE);
        return last === null ? null : { last, found: await look(reader, stretch, last) };
      };
      const seen = await store.read(readStretch, { longFor: workspace });
      if (seen === null) break;
      yield seen.found;
      after = seen.last;
    }
}
