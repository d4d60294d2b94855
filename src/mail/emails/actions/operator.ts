// An operator's actions on waiting mails of any workspace: listing them, making them due, holding them, cancelling
// them. A mail that is being handed over stays untouched.
import { iso } from "../../../base/clock.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import type { Reader, Store, Tx } from "../../../store/store.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { deletePrivateData } from "../content/queries.ts";
import * as queries from "../queue/operator-queries.ts";
import type { QueueFilter, WaitingMail } from "../queue/operator-queries.ts";
import { cancelEach } from "./cancel.ts";
import { MAIL_QUEUED } from "../queue/queued.ts";

export type QueueAct = "retry" | "hold" | "drop";

const A_BATCH = 200;

/** The mails of a filter, heap by heap; each heap in the order of acceptance. */
export async function* queueFound(store: Store, filter: QueueFilter): AsyncGenerator<readonly WaitingMail[]> {
  const now = iso(store.clock.nowMs());
  for (const heap of await store.read((reader) => queries.heaps(reader, filter.workspace ?? null))) {
    for (let after = 0; ;) {
      const readWaiting = (reader: Reader) => queries.waitingIn(reader, { heap, filter, after, now }, A_BATCH);
      const mails = await store.read(readWaiting, { longFor: 0 });
      if (mails.length > 0) yield mails;
      if (mails.length < A_BATCH) break;
      after = mails.at(-1)?.seq ?? after;
    }
  }
}

/** Acts on those mails that still wait; answers their number. */
export async function actOn(tx: Tx, act: QueueAct, mails: readonly WaitingMail[]): Promise<number> {
  const seqs = mails.map(({ seq }) => seq);
  const done = await ACTS[act](tx, seqs);
  if (act === "drop") await deletePrivateData(tx, [...new Set(mails.map(({ content }) => content))]);
  if (act === "retry") tx.signal(MAIL_QUEUED);
  for (const workspace of new Set(mails.map((one) => one.workspace))) notifyChange(tx, "mails", workspace);
  return done;
}

const ACTS = {
  retry: queries.callQueued,
  hold: queries.holdMails,
  drop: (tx: Tx, seqs: readonly number[]) => cancelEach(tx, seqs, COMMAND_LINE),
};
