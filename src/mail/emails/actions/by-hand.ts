// Settling a mail with an unknown fate by hand, by a person who knows it from the next hop's log or from the recipient.
import { AppError } from "../../../base/errors.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import type { Tx } from "../../../store/store.ts";
import { findEmail } from "../email.ts";
import { mailChanged } from "../happened.ts";
import { setKnownLost } from "../soft-bounces/feedback-queries.ts";
import { markDelivered } from "../feedback/feedback.ts";
import type { ToldMail } from "../queries.ts";

const LOST = "Somebody who looked into it says that the email did not arrive.";

/**
 * PERHAPS_DELIVERED → DELIVERED, or FAILED; a pending late repeat is cancelled.
 * @throws AppError EMAIL_NOT_FOUND; EMAIL_STATE if its fate is known, or it is being handed over
 */
export async function settleByHand(tx: Tx, workspace: number, id: string, hasArrived: boolean): Promise<ToldMail> {
  const mail = await findEmail(tx, workspace, id);
  if (mail.status !== "PERHAPS_DELIVERED")
    throw new AppError(
      "EMAIL_STATE",
      `The email is ${mail.status}: only one that is PERHAPS_DELIVERED can be settled.`,
    );
  if (hasArrived) await markDelivered(tx, mail);
  else if ((await setKnownLost(tx, mail.seq, LOST)) > 0) mailChanged(tx, "email.lost", mail);
  notifyChange(tx, "mails", workspace);
  return findEmail(tx, workspace, id);
}
