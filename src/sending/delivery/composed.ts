// A mail as it leaves or left, composed again from its record.
import { iso } from "../../base/clock.ts";
import { contentGone } from "../../mail/emails/content/gone.ts";
import { isErased } from "../../mail/emails/email.ts";
import type { Mail, MailToSend } from "../../mail/emails/queries.ts";
import { mailBySeq } from "../../mail/emails/sending-queries.ts";
import { AppError } from "../../base/errors.ts";
import type { Store } from "../../store/store.ts";
import { isOverBudget } from "../../content/templates/liquid/budget.ts";
import type { Carriers } from "../carrier/carriers.ts";
import { handoverOf, type FeedbackFor, type HandoverOptions, type HeaderTerms } from "../carrier/handover.ts";
import { partsOf } from "../carrier/large-parts.ts";

/** `bare`: without the pixel, the links that count clicks, and the attached files. */
export type CompositionOptions = { readonly bare?: true };

type ComposerOptions = HandoverOptions & HeaderTerms & FeedbackFor & { readonly carriers: Pick<Carriers, "raw"> };

export type Composer = (mail: Pick<Mail, "seq" | "id">, how?: CompositionOptions) => Promise<Buffer>;

/**
 * `options`: those of the default way, which may change. Its promise fails with AppError EMAIL_NOT_FOUND if a person
 * whom the mail names was erased, EMAIL_STATE if it cannot be composed, CONTENT_GONE.
 */
export function composerOf(store: Store, options: () => ComposerOptions): Composer {
  return async ({ seq, id }, { bare } = {}) => {
    const mail = await store.read((reader) => mailBySeq(reader, seq, iso(store.clock.nowMs())));
    if (!mail) throw new AppError("EMAIL_NOT_FOUND", `There is no email ${id}.`);
    if (mail.isPrivate) throw forRecipientAlone();
    const way = options();
    const handover = await handoverAgain(store, mail, way);
    const message = bare ? { ...handover, tracking: null, attachments: [] } : handover;
    return way.carriers.raw(message).catch(refuseOverBudget);
  };
}

async function handoverAgain(store: Store, mail: MailToSend, options: ComposerOptions) {
  if (isErased(mail)) throw gone("its recipient has been erased");
  if (mail.bodyGoneAt !== null) throw contentGone(mail.bodyGoneAt);
  const parts = await partsOf(store, mail);
  if (mail.messageId !== null && parts.raw === null) throw gone("a person whom it names has been erased");
  const feedbackAddress = await options.feedbackAddressFor(mail);
  return handoverOf(mail, parts, Date.parse(mail.attemptedAt ?? mail.createdAt), { ...options, feedbackAddress });
}

/** The mail holds a link that signs its recipient in; readers of the mail list must not use it. */
function forRecipientAlone(): AppError {
  return new AppError("EMAIL_STATE", "The text of this email is for its recipient alone.", {
    suggestion: "An invitation can be sent again to the same address; the link before it is over then.",
  });
}

function gone(why: string): AppError {
  return new AppError("EMAIL_NOT_FOUND", `The message is gone: ${why}.`);
}

/**
 * A mail that failed over its rendering budget has no message.
 * @throws AppError EMAIL_STATE
 */
function refuseOverBudget(error: unknown): never {
  if (!isOverBudget(error)) throw error;
  throw new AppError("EMAIL_STATE", `The email cannot be composed: ${error.message}`, {
    suggestion: "Shorten the loops of its template and send it again.",
  });
}
