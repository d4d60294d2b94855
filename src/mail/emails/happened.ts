// What happens to a mail: as any fact, and in the sums of statistics.
import { toldLabels } from "../../base/labels.ts";
import {
  columnsOf,
  type CountName,
  type FactData,
  type FactWith,
  type MailFact,
  type MailFacts,
} from "../../tenant/events/catalog.ts";
import { happened } from "../../tenant/events/happened.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import type { Tx } from "../../store/store.ts";
import { countMail, type CountedMail } from "../statistics/counting.ts";
import { messageIdOf } from "./content/message-id.ts";
import type { Mail } from "./queries.ts";

/** The fields of a mail in events. */
export type MailInEvents = CountedMail &
  Pick<
    Mail,
    | "seq"
    | "id"
    | "contact"
    | "sourceType"
    | "subject"
    | "renderedSubject"
    | "fromName"
    | "messageId"
    | "group"
    | "metadata"
  > & {
    /** Its person is erased: it only counts. */
    readonly isErased?: boolean;
  };

/** As `happened`. An endpoint hears nothing of a private mail. */
export async function happenedToMail<Name extends MailFact>(
  tx: Tx,
  name: Name,
  mail: MailInEvents,
  facts: MailFacts<Name>,
): Promise<void> {
  const { told, event = name, counts, wakes } = columnsOf(name);
  if (counts) countMail(tx, counts as CountName, mail);
  if (wakes) tx.signal(wakes);
  if (mail.isErased) return;
  const { workspace, contact, seq: email } = mail;
  if (told === "endpoints" && mail.isPrivate) return notifyChange(tx, "mails", workspace);
  const data = { ...(told === "endpoints" ? noticeBase(mail) : eventBase(mail)), ...facts };
  await happened(tx, event, { workspace, contact, email }, data as FactData<typeof event>);
}

/** A fact about a mail that is counted, and told to no consumer or endpoint. */
type QuietFact = Exclude<FactWith<{ counts: string }>, FactWith<{ told: unknown }> | MailFact>;

export function mailChanged(tx: Tx, name: QuietFact, mail: CountedMail): void {
  const { counts, pages } = columnsOf(name);
  countMail(tx, counts as CountName, mail);
  if (pages) notifyChange(tx, pages, mail.workspace);
}

function eventBase(mail: MailInEvents) {
  const { id: emailId, templateId, campaignId, sourceType } = mail;
  return {
    subject: mail.renderedSubject ?? mail.subject,
    from: mail.fromAddress,
    fromName: mail.fromName ?? "",
    messageId: messageIdOf(mail),
    emailId,
    templateId,
    campaignId,
    sourceType,
    ...toldLabels(mail),
  };
}

function noticeBase(mail: MailInEvents) {
  const { id: emailId, toAddress: to, fromAddress: from, templateId, campaignId, sourceType } = mail;
  const subject = mail.renderedSubject ?? mail.subject;
  const message = { fromName: mail.fromName ?? "", messageId: messageIdOf(mail) };
  return { emailId, to, subject, from, ...message, templateId, campaignId, sourceType, ...toldLabels(mail) };
}
