// The addresses for complaints of mailbox providers (docs/bounces.md): for each domain that takes mail here, a
// dedicated one, and those that every domain has (RFC 2142 §5), to which people write as well.
import { iso } from "../../base/clock.ts";
import type { Tx } from "../../store/store.ts";
import type { Complaint } from "./bounces/complaint.ts";
import { takeComplaint, type Proofs } from "./bounces/take-complaint.ts";
import { EARLY_NOTICE_REST_MS, MAX_EARLY_ATTEMPTS, READ } from "./message.ts";
import { deleteMessages, lockClaimed, deferMessage, type WaitingMessage } from "./queries.ts";

const ADDRESS = /^(fbl|abuse|postmaster)@/i;

export function isForFeedback({ envelope: { recipients } }: WaitingMessage): boolean {
  return recipients.length > 0 && recipients.every((address) => ADDRESS.test(address));
}

const LIKE_A_COMPLAINT = /feedback-report|^x-hmxmroriginalrecipient:|^subject: complaint about message from /im;
const MAX_HEAD_BYTES = 64 * 1024;

/** Checks only the beginning, as most mail is not a complaint. */
export function mayBeComplaint(raw: Uint8Array): boolean {
  const head = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, MAX_HEAD_BYTES));
  return LIKE_A_COMPLAINT.test(head.toString("latin1"));
}

/** Answers false if no mail of ours is proved: it is ordinary mail then. A complaint that was taken is not kept. */
export async function settleComplaint(
  tx: Tx,
  message: WaitingMessage,
  complaint: Complaint,
  proofs: Proofs,
): Promise<boolean> {
  if ((await lockClaimed(tx, [message])).length === 0) return true;
  const taken = await takeComplaint(tx, complaint, proofs);
  if (taken === "early" && message.attempts < MAX_EARLY_ATTEMPTS) {
    await deferMessage(tx, message, iso(tx.nowMs + EARLY_NOTICE_REST_MS));
    return true;
  }
  if (taken !== "taken") return false;
  await deleteMessages(tx, [message.seq]);
  tx.tally({ metric: READ, labels: ["complaint"] });
  return true;
}
