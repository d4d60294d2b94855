// Sending a mail again: another mail with the same content, which names the mail that it repeats.
import { AppError } from "../../../base/errors.ts";
import type { Tx } from "../../../store/store.ts";
import type { SenderScope } from "../../../tenant/domains/domain.ts";
import { acceptAgain } from "../accept.ts";
import { refuseGone } from "../content/gone.ts";
import { contentToRepeat } from "../content/queries.ts";
import { findEmail, isErased } from "../email.ts";
import type { ToldMail } from "../queries.ts";
import type { EmailStatus } from "../shape.ts";

/** Why a mail in a state cannot be sent again. */
const NOT_YET = "has not left yet; it will be sent.";
const REFUSED: Readonly<Partial<Record<EmailStatus, string>>> = {
  QUEUED: NOT_YET,
  SENDING: NOT_YET,
  PERHAPS_DELIVERED: "may have arrived, so that it is not sent again while nobody knows.",
  RECEIVED: "came from outside and cannot be sent.",
};

const SETTLE: Readonly<Partial<Record<EmailStatus, { readonly suggestion: string }>>> = {
  PERHAPS_DELIVERED: {
    suggestion:
      "Look in the log of the mail server that got it, or ask the recipient. If it did not arrive, say so with POST /emails/{id}/not-arrived; then it can be sent again.",
  },
};

/**
 * Queues the mail again, to the same address; answers the new one.
 * @throws AppError EMAIL_NOT_FOUND, also if a person in it was erased; EMAIL_STATE, CONTENT_GONE, and errors of the
 * door
 */
export async function resend(tx: Tx, sender: SenderScope, id: string): Promise<ToldMail> {
  const mail = await findEmail(tx, sender.workspace, id);
  const refused = REFUSED[mail.status];
  if (refused) throw new AppError("EMAIL_STATE", `The email ${refused}`, SETTLE[mail.status]);
  return findEmail(tx, sender.workspace, await repeat(tx, sender, mail));
}

/** Answers the id of the new mail. All checks precede the first write. */
export async function repeat(tx: Tx, sender: SenderScope, mail: ToldMail): Promise<string> {
  if (isErased(mail)) throw gone("its recipient has been erased");
  await refuseGone(tx, mail.content);
  const content = await contentToRepeat(tx, mail.content);
  if (!content || (mail.messageId !== null && !content.isWhole)) throw gone("a person whom it names has been erased");
  if (content.isTest) throw new AppError("EMAIL_STATE", "The email is a test copy: send a new one instead.");
  if (content.isPrivate)
    throw new AppError("EMAIL_STATE", "The email held a link for its recipient, which is not kept.", {
      suggestion: "Invite the address again: the link before it is over then.",
    });
  return acceptAgain(tx, sender, mail, content);
}

function gone(why: string): AppError {
  return new AppError("EMAIL_NOT_FOUND", `The message is gone: ${why}.`);
}
