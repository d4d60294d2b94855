// Contacts who become one and are recipients of the same campaign get it once: a mail that has left counts, then the
// waiting one of the contact that stays. The rest is withdrawn.
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { setReason } from "../../../programs/campaigns/recipients/recipient-queries.ts";
import { cancelEach } from "../../../mail/emails/actions/cancel.ts";
import type { EmailStatus } from "../../../mail/emails/shape.ts";
import type { Tx } from "../../../store/store.ts";
import { underWay, type RunningRecipient } from "./recipient-queries.ts";

/** The mail has left, or may have. */
const GONE: readonly EmailStatus[] = ["SENDING", "PERHAPS_DELIVERED", "SENT", "DELIVERED", "COMPLAINED"];

type RecipientMerge = {
  readonly workspace: number;
  readonly into: number;
  readonly from: readonly number[];
  readonly by: ChangeAuthor;
};

/** Campaigns whose recipients are still being found, or have no mail yet, resolve merged contacts themselves. */
export async function settleRecipients(tx: Tx, { workspace, into, from, by }: RecipientMerge): Promise<void> {
  const order = [into, ...from];
  const all = await underWay(tx, workspace, order);
  for (const [campaign, theirs] of Map.groupBy(all, (one) => one.campaign)) {
    const isGone = theirs.some(({ status }) => status !== null && GONE.includes(status));
    const waiting = theirs
      .filter(({ status, reason }) => reason === null && (status === null || status === "QUEUED"))
      .sort((one, other) => order.indexOf(one.contact) - order.indexOf(other.contact));
    await withdraw(tx, campaign, isGone ? waiting : waiting.slice(1), by);
  }
}

async function withdraw(tx: Tx, campaign: number, those: readonly RunningRecipient[], by: ChangeAuthor): Promise<void> {
  const mails = those.flatMap(({ email }) => email ?? []);
  const without = those.flatMap(({ email, contact }) => (email === null ? contact : []));
  if (mails.length > 0) await cancelEach(tx, mails, by);
  if (without.length > 0) await setReason(tx, campaign, without, "merged");
}
