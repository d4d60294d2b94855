// Mails of a person who is erased. Those of a campaign stay without their person, for its counters; a message submitted
// for several people is deleted when the last of its mails is settled (`messages_to_forget`).
import type { Tx } from "../../../store/store.ts";
import { deleteUnusedContents } from "../content/queries.ts";
import { insertToForget } from "../content/raw-queries.ts";
import { countCancelled } from "./cancel.ts";
import { deleteMailsOfContact, detachCampaignMails } from "./erasure-queries.ts";

/** Signalled when there is a history to erase, or a log that holds one. */
export const ERASING = "erasing";

/** Erases up to `most` mails of each kind; answers how many of the kind that had more. */
export async function eraseMails(tx: Tx, contact: number, most: number): Promise<number> {
  const detached = await detachCampaignMails(tx, contact, most);
  const mails = await deleteMailsOfContact(tx, contact, most);
  countCancelled(
    tx,
    mails.filter(({ status }) => status === "QUEUED" || status === "SENDING"),
  );
  if (mails.length > 0) await leaveContents(tx, [...new Set(mails.map(({ content }) => content))]);
  return Math.max(detached, mails.length);
}

/**
 * A content that others received too stays, unless it is a complete message, whose header may name all its recipients.
 */
async function leaveContents(tx: Tx, contents: readonly number[]): Promise<void> {
  await deleteUnusedContents(tx, contents);
  if ((await insertToForget(tx, contents)) > 0) tx.signal(ERASING);
}
