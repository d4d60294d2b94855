// A new time for a waiting mail: later, sooner, or now. The mails of a group move together.
import { iso } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import type { Tx } from "../../../store/store.ts";
import { findEmail } from "../email.ts";
import { setDue, setGroupDue } from "./move-queries.ts";
import type { ToldMail } from "../queries.ts";
import { wakeFor } from "../queue/queued.ts";

/**
 * `sendAtMs` null = now. Mails of a group that have left stay unchanged.
 * @throws AppError EMAIL_NOT_FOUND; EMAIL_STATE if it is not QUEUED, or its campaign sets its time
 */
export async function moveEmail(tx: Tx, workspace: number, id: string, sendAtMs: number | null): Promise<ToldMail> {
  const mail = await findEmail(tx, workspace, id);
  if (mail.campaign !== null) throw ofCampaign();
  const dueAt = iso(sendAtMs ?? tx.nowMs);
  if ((await setDue(tx, mail.seq, dueAt)) === 0) throw tooLate(await findEmail(tx, workspace, id));
  if (mail.group !== null && mail.resentFrom === null) await setGroupDue(tx, mail.content, dueAt);
  wakeFor(tx, sendAtMs);
  notifyChange(tx, "mails", workspace);
  return findEmail(tx, workspace, id);
}

function tooLate({ status }: ToldMail): AppError {
  return new AppError("EMAIL_STATE", `The email is ${status} and cannot be moved.`, {
    suggestion: "Only an email that is still QUEUED can be sent at another time.",
  });
}

function ofCampaign(): AppError {
  return new AppError("EMAIL_STATE", "The email belongs to a campaign, which says when it is sent.", {
    suggestion: "Pause or reschedule the campaign.",
  });
}
