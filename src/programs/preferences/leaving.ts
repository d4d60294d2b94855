// Reasons for leaving: a person who has just unsubscribed or left a topic may give one answer for each mail.
import { LEAVING_REASONS, type LeavingReason } from "../../base/languages/questions.ts";
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/store.ts";
import { choiceOf } from "../../audience/topics/choice.ts";
import type { Contact } from "../../audience/contacts/queries.ts";
import { keepAnswer, type LinkMail } from "../../audience/contacts/past/leaving-queries.ts";

export const MAX_WORDS_CHARS = 500;

/** `topic`: the key of the topic that the person left; null = all marketing mail. */
export type LeavingFeedback = {
  readonly reason: LeavingReason;
  readonly words: string | null;
  readonly topic: string | null;
};

/** The answer in a form; null = none. Words without a reason count as another reason. */
export function saidIn(form: URLSearchParams): LeavingFeedback | null {
  const words = wordsIn(form.get("words") ?? "");
  const named = LEAVING_REASONS.find((reason) => reason === form.get("why"));
  const reason = named ?? (words === null ? null : "other");
  return reason && { reason, words, topic: form.get("left") };
}

/** Joins the text to one line. Null = the text is empty. */
function wordsIn(text: string): string | null {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return [...line].slice(0, MAX_WORDS_CHARS).join("").trim() || null;
}

type LeavingContact = Pick<Contact, "seq" | "subscribed" | "topics"> & { readonly workspace: number };

/** False: not kept, since the person has not unsubscribed or left that topic. */
export async function answerWhy(
  tx: Tx,
  contact: LeavingContact,
  mail: LinkMail,
  { topic, ...said }: LeavingFeedback,
): Promise<boolean> {
  const left = topic !== null && choiceOf(contact.topics, topic) === "out" ? topic : null;
  if (contact.subscribed && left === null) return false;
  const { workspace, seq } = contact;
  await keepAnswer(tx, {
    id: newId(tx.nowMs),
    workspace,
    contact: seq,
    mail,
    topic: contact.subscribed ? left : null,
    ...said,
  });
  return true;
}
