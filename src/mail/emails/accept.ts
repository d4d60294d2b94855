// THE DOOR. Every outgoing mail is accepted here: a request has one content and one mail for each recipient, all or
// none.
import { laneOf } from "./queue/holds.ts";
import { domainOf } from "../../base/addresses.ts";
import { iso } from "../../base/clock.ts";
import { languageOfContact, variablesSeen, type Variables } from "../../audience/contacts/data.ts";
import { contactByAddress } from "../../audience/contacts/queries.ts";
import { rulesOf } from "../../audience/contacts/upsert.ts";
import { AppError } from "../../base/errors.ts";
import { hearersOf } from "../../tenant/events/outbox.ts";
import { typeSubject } from "../../tenant/events/subjects.ts";
import { namesOfLabels } from "../../base/labels.ts";
import { newId } from "../../base/ids.ts";
import { mailsAccepted } from "./happened.ts";
import type { Tx } from "../../store/store.ts";
import { asWritten, plainHeader } from "../../content/templates/liquid/render.ts";
import { domainToSendFrom, type SenderScope } from "../../tenant/domains/domain.ts";
import { topicMeant } from "../../audience/topics/mail.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import { contentGone } from "./content/gone.ts";
import { setContentDomain, type MailContent, type ContentToRepeat } from "./content/queries.ts";
import { reuseContent } from "./content/reuse-queries.ts";
import { contentNumber } from "./door/keep.ts";
import { peopleOf, refuseUnwilling, type ContactRecipient } from "./door/people.ts";
import { mailFrameOf, type MailFrame } from "./door/place.ts";
import { suppressed, suppressionOf, type RecipientSkip } from "./door/suppressed.ts";
import type { MailContact, MailRequest } from "./door/request.ts";
import { insertEmail, insertRepeat, postEmail, type NewEmail } from "./insert-queries.ts";
import { copyLabels, insertLabels } from "./label-queries.ts";
import type { Mail } from "./queries.ts";
import { wakeFor } from "./queue/queued.ts";
import { ruleOf } from "./door/rule.ts";

export type AcceptedMail = {
  /** Null: the recipient is no contact. */
  readonly contact: MailContact | null;
  readonly address: string;
  /** The public id of the mail. */
  readonly email: string;
};
export type NumberedMail = AcceptedMail & { readonly seq: number };

/**
 * Queues one mail for each recipient (docs/sending.md), all of one message if they are a group; answers them in the
 * order of the request. A contact that is named twice gets two mails: the caller keeps the count in the same
 * transaction.
 * @throws AppError DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED, RECIPIENT_SUPPRESSED,
 * MARKETING_STOPPED, and as `upsertContact`; then no mail is queued
 */
export async function accept(tx: Tx, request: MailRequest): Promise<readonly AcceptedMail[]> {
  return (await acceptSome(tx, request)).accepted;
}

/** As `accept`, with the recipients left out of a request that skips suppressed addresses; these may be all of them. */
export async function acceptSome(tx: Tx, request: MailRequest): Promise<Omit<AcceptanceResult, "mails" | "names">> {
  const { accepted, skipped, mails, names } = await queue(tx, request);
  if (names.length > 0) await insertNumbered(tx, request, { mails, names });
  else for (const mail of mails) postEmail(tx, mail);
  return { accepted, skipped };
}

/** As `accept`, with the seq of each mail. */
export async function acceptNumbered(tx: Tx, request: MailRequest): Promise<readonly NumberedMail[]> {
  const { accepted, ...queued } = await queue(tx, request);
  const seqs = await insertNumbered(tx, request, queued);
  return accepted.map((mail, index) => ({ ...mail, seq: seqs[index] as number }));
}

type QueuedMails = {
  /** Still to be inserted. */
  readonly mails: readonly NewEmail[];
  /** The names of their labels. */
  readonly names: readonly string[];
};

type AcceptanceResult = QueuedMails & {
  readonly accepted: readonly AcceptedMail[];
  readonly skipped: readonly RecipientSkip[];
};

/** Answers the seqs. */
async function insertNumbered(tx: Tx, { sender }: MailRequest, { mails, names }: QueuedMails): Promise<number[]> {
  const seqs = await Promise.all(mails.map((mail) => insertEmail(tx, mail)));
  if (names.length > 0) await insertLabels(tx, sender.workspace, names, seqs);
  return seqs;
}

/** On PostgreSQL in three packets: the reads, contacts and content, mails. */
async function queue(tx: Tx, request: MailRequest): Promise<AcceptanceResult> {
  const { place, admit, skipped } = await peopleOf(tx, request, mailFrameOf(tx, request));
  if (skipped.length > 0 && skipped.length === recipientsIn(request))
    return { accepted: [], mails: [], names: [], skipped };
  const [people, content] = await Promise.all([admit(), contentNumber(tx, request, place)]);
  const { says, workspace } = place;
  const parties = { content, first: people[0] as ContactRecipient, isFilled: isFilled(says) };
  const mails = people.map((person) => mailOf(tx, request, place, { ...parties, person }));
  mailsAccepted(tx, {
    mails,
    says,
    workspace: workspace.seq,
    sourceType: request.sourceType,
    campaignId: request.campaign?.id ?? null,
    isHeard: workspace.tellsAccepted,
    isPrivate: request.private === true,
  });
  wakeFor(tx, request.sendAtMs ?? null);
  const accepted = mails.map(({ id }, index) => {
    const { contact, address } = people[index] as ContactRecipient;
    return { contact, address, email: id };
  });
  return { accepted, mails, names: namesOfLabels(place.says), skipped };
}

function recipientsIn({ to }: MailRequest): number {
  return "addresses" in to ? to.addresses.length : 1;
}

/** `first`: the first recipient of the request. `isFilled`: the texts have variables. */
type MailParties = {
  readonly person: ContactRecipient;
  readonly content: number;
  readonly first: ContactRecipient;
  readonly isFilled: boolean;
};

function mailOf(tx: Tx, request: MailRequest, place: MailFrame, parties: MailParties): NewEmail {
  const { person, content, first, isFilled } = parties;
  const { contact, address, name, role, variables } = person;
  const isGroup = request.group !== undefined;
  const reader = isGroup ? first : person;
  const { says, language, workspace } = place;
  const known = dataFor(request, reader.contact);
  const data = variables ? { ...known, ...variables } : known;
  const isMarketing = says.kind === "MARKETING" && !request.test;
  const own = request.shared ? { ...data, ...request.variables } : data;
  return {
    id: newId(tx.nowMs),
    workspace: workspace.seq,
    contact: contact?.seq ?? null,
    content,
    campaign: request.campaign?.seq ?? null,
    sourceType: request.sourceType,
    lane: laneOf(isMarketing),
    dueAt: request.sendAtMs == null ? tx.now : iso(request.sendAtMs),
    toAddress: address,
    toName: name,
    role: isGroup ? (role ?? "TO") : null,
    subject: subjectFor(says, () => variablesSeen({ email: reader.address }, data, request.variables ?? null)),
    // A group is rendered with the data of its first mail (sending-queries.ts).
    variables: isRaw(request) || person !== reader ? null : isFilled ? own : (variables ?? null),
    language: language && languageOfContact({ ...data, ...request.variables }, language),
    workflowId: request.workflowId ?? null,
    stepId: request.stepId ?? null,
    rule: ruleOf(workspace, address, { ...says, isMarketing }),
  };
}

function isRaw({ content }: MailRequest): boolean {
  return "raw" in content && content.raw !== undefined;
}

/** A test copy names its reader in its data, by keys that data of a contact never has. */
function dataFor({ renderedFor: reader }: MailRequest, contact: MailContact | null): Variables {
  return reader ? { ...reader.data, email: reader.email, subscribed: reader.subscribed } : (contact?.data ?? {});
}

/**
 * Queues a mail again, with the same content and for the same address; answers the id of the new mail.
 * @throws AppError DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED, RECIPIENT_SUPPRESSED,
 * MARKETING_STOPPED, CONTENT_GONE
 */
export async function acceptAgain(tx: Tx, sender: SenderScope, mail: Mail, content: ContentToRepeat): Promise<string> {
  const workspace = await ownWorkspace(tx, sender.workspace);
  const { marketingStopped } = workspace;
  const stopped = content.kind === "MARKETING" ? marketingStopped : null;
  if (stopped !== null) throw new AppError("MARKETING_STOPPED", stopped);
  const domain = await domainToSendFrom(tx, sender, domainOf(mail.fromAddress));
  const contact = await contactByAddress(tx, sender.workspace, mail.toAddress);
  const isMarketing = content.kind === "MARKETING";
  if (isMarketing) {
    const topic = content.topic === null ? null : await topicMeant(tx, sender.workspace, content.topic);
    refuseUnwilling({ contact, address: mail.toAddress }, topic, tx.now);
  }
  const bound = { workspace: sender.workspace, email: mail.toAddress, isMarketing };
  const by = await suppressionOf(tx, bound, { ...(await rulesOf(tx, sender.workspace)), contact });
  if (by) throw suppressed([{ email: mail.toAddress, by }]);
  if (!(await reuseContent(tx, mail.content))) throw contentGone(tx.now);
  if (domain !== content.domain) await setContentDomain(tx, mail.content, domain);
  const id = newId(tx.nowMs);
  const rule = ruleOf(workspace, mail.toAddress, { ...mail, isMarketing });
  await insertRepeat(tx, mail.seq, { id, contact: contact?.seq ?? null, lane: laneOf(isMarketing), rule });
  if (namesOfLabels(mail).length > 0) await copyLabels(tx, mail.seq, id);
  const heard = { workspace: sender.workspace, subjects: [typeSubject("email.accepted")] };
  // The new mail does not belong to the campaign.
  mailsAccepted(tx, {
    mails: [{ ...mail, id, contact: contact?.seq ?? null, subject: mail.renderedSubject, dueAt: tx.now }],
    says: mail,
    workspace: sender.workspace,
    sourceType: mail.sourceType,
    campaignId: null,
    isHeard: (await hearersOf(tx, heard)).endpoints,
  });
  wakeFor(tx, null);
  return id;
}

/** Variables that only the hand-over knows: whether the contact is still subscribed, and the links of this mail. */
const LATER = /\b(subscribed|unsubscribeUrl|subscribeUrl|manageUrl)\b/;
/** The rendering of a longer subject waits for the hand-over. */
const LONGEST_SUBJECT_CHARS = 998;

/** The rendered subject, so that lists and searches have it before the mail leaves, and if it never leaves. */
function subjectFor({ subject }: Pick<MailContent, "subject">, seen: () => Variables): string | null {
  const rendered = asWritten(subject) === null && LATER.test(subject) ? null : plainHeader(subject, seen);
  return rendered === null || rendered === subject || rendered.length > LONGEST_SUBJECT_CHARS ? null : rendered;
}

/** Mails that use any data get that of this moment: a mail is sent with the data with which it was accepted. */
function isFilled({ subject, preheader, html, text }: MailFrame["says"]): boolean {
  return [subject, preheader ?? "", html, text ?? ""].some((one) => asWritten(one) === null);
}
