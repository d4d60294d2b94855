// Records a fact about a mail: as any other fact, and in the sums of statistics.
import { toldLabels } from "../../base/labels.ts";
import { counter } from "../../base/metrics/metric.ts";
import {
  columnsOf,
  FACTS,
  type CountName,
  type FactData,
  type FactWith,
  type MailFact,
  type MailFacts,
} from "../../tenant/events/catalog.ts";
import { happened, putNotice } from "../../tenant/events/happened.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import type { Tx } from "../../store/store.ts";
import { countMail, type CountedMail } from "../statistics/counting.ts";
import { messageIdOf } from "./content/message-id.ts";
import type { NewEmail } from "./insert-queries.ts";
import type { Mail } from "./queries.ts";
import { kindOf } from "./queue/queued.ts";
import type { SourceType } from "./shape.ts";

const ACCEPTED = counter("posthorn_mails_accepted_total", "Emails taken into the queue.", "kind", [
  "transactional",
  "campaign",
  "workflow",
]);
const REPORTED = counter("posthorn_mails_reported_total", "What became of emails after they had left.", "outcome", [
  "delivered",
  "bounced",
  "failed",
  "complained",
]);

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
  const { told, event = name, counts, metric, wakes } = columnsOf(name);
  if (counts) countMail(tx, counts as CountName, mail);
  if (metric) tallyReport(tx, metric, mail);
  if (wakes) tx.signal(wakes);
  if (mail.isErased) return;
  const { workspace, contact, seq: email } = mail;
  if (told === "endpoints" && mail.isPrivate) return notifyChange(tx, "mails", workspace);
  const data = { ...(told === "endpoints" ? noticeBase(mail) : eventBase(mail)), ...facts };
  await happened(tx, event, { workspace, contact, email }, data as FactData<typeof event>);
}

/** A fact about a mail that only counts, and is told to no consumer or endpoint. */
type QuietFact = Exclude<FactWith<{ counts: string } | { metric: string }>, FactWith<{ told: unknown }> | MailFact>;

/** Reports about an erased person's mail are left out of the metrics. */
export function mailChanged(tx: Tx, name: QuietFact, mail: CountedMail & Pick<MailInEvents, "isErased">): void {
  const { counts, pages, metric } = columnsOf(name);
  if (counts) countMail(tx, counts as CountName, mail);
  if (metric && !mail.isErased) tallyReport(tx, metric, mail);
  if (pages) notifyChange(tx, pages, mail.workspace);
}

function tallyReport(tx: Tx, outcome: string, { workspace }: CountedMail): void {
  tx.tally({ metric: REPORTED, labels: [outcome], workspace });
}

/** The mails of one request; `subject` null: that of `says`. */
export type MailAcceptance = {
  readonly mails: readonly (Omit<CountedMail, "fromAddress" | "templateId" | "campaignId" | "tags"> &
    Pick<NewEmail, "id" | "contact" | "subject" | "dueAt">)[];
  readonly says: Pick<Mail, "subject" | "fromAddress" | "templateId" | "tags" | "metadata">;
  readonly workspace: number;
  readonly sourceType: SourceType;
  readonly campaignId: string | null;
  /** An endpoint listens. */
  readonly isHeard: boolean;
  /** Mail to the team: it counts in no figures, and no endpoint hears of it. */
  readonly isPrivate?: boolean;
};

/** As `happened`, for all mails of a request, whose workspace is known. */
export function mailsAccepted(tx: Tx, { mails, says, campaignId, ...about }: MailAcceptance): void {
  const { counts, pages } = FACTS["email.accepted"];
  const { workspace, sourceType } = about;
  tx.tally({ metric: ACCEPTED, by: mails.length, labels: [kindOf(sourceType)], workspace });
  if (about.isPrivate) return;
  const { fromAddress, templateId, tags } = says;
  for (const mail of mails) {
    countMail(tx, counts, { ...mail, fromAddress, templateId, campaignId, tags });
    if (about.isHeard) putNotice(tx, mail, "email.accepted", acceptedData(mail, says, campaignId));
  }
  notifyChange(tx, pages, workspace);
}

function acceptedData(
  { id, toAddress, subject, sourceType, dueAt }: MailAcceptance["mails"][number],
  says: MailAcceptance["says"],
  campaignId: string | null,
) {
  const { fromAddress: from, templateId } = says;
  return {
    emailId: id,
    to: toAddress,
    subject: subject ?? says.subject,
    from,
    templateId,
    campaignId,
    sourceType,
    sendAt: dueAt,
    ...toldLabels(says),
  };
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
