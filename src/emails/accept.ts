// THE DOOR. Every mail that is to leave comes in here, whoever asks for it: one content, one mail a recipient, all or none.
import { domainOf, type Mailbox } from "../addresses.ts";
import { upsertContact } from "../contacts/contact.ts";
import type { Variables } from "../contacts/data.ts";
import type { ContactRow } from "../contacts/queries.ts";
import { languageOfContact } from "../contacts/language.ts";
import { AppError } from "../errors.ts";
import { iso } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Language } from "../languages/language.ts";
import type { Tx } from "../store/store.ts";
import { hasVariables } from "../templates/render.ts";
import { domainToSendFrom, type Sender } from "../workspaces/domain.ts";
import { ownWorkspace } from "../workspaces/workspace.ts";
import { insertAttachment, insertContent, insertEmail, type AttachmentRow, type SourceType } from "./queries.ts";

/** Signalled when there may be mail to send. */
export const MAIL_QUEUED = "mail";

/** What is to be said, not rendered yet. */
export type Content = {
  readonly templateId: string | null;
  readonly kind: "TRANSACTIONAL" | "MARKETING";
  /** Inline source: what does not parse is left standing. */
  readonly lenient: boolean;
  readonly from: Mailbox;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  /** null = made from the HTML, "" = none. */
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly AttachmentRow[];
  /** False = opens and clicks are not looked for, whatever the workspace says. */
  readonly tracking: boolean;
};

export type MailRequest = {
  readonly sender: Sender;
  readonly sourceType: SourceType;
  readonly content: Content;
  readonly recipients: readonly Mailbox[];
  /** What of the request's data is kept with each contact. */
  readonly contactData: Variables;
  /** What of the request's data this mail uses. */
  readonly variables: Variables;
  readonly subscribed: boolean | undefined;
  /** Not before this; null = at once. */
  readonly sendAtMs: number | null;
};

export type AcceptedMail = {
  readonly contact: { readonly id: string; readonly email: string };
  readonly email: string;
};

/**
 * Queues one mail for each recipient (interface.md "POST /v1/send").
 * @throws AppError DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED; then nothing is queued for anybody
 */
export async function accept(tx: Tx, request: MailRequest): Promise<AcceptedMail[]> {
  const domain = await domainToSendFrom(tx, request.sender, domainOf(request.content.from.address));
  const workspace = request.content.kind === "MARKETING" ? await ownWorkspace(tx, request.sender.workspace) : null;
  const content = await keepContent(tx, request, { domain, postalAddress: workspace?.postal_address ?? null });
  const place = { content, language: workspace?.language ?? null };
  const accepted: AcceptedMail[] = [];
  for (const recipient of request.recipients) accepted.push(await queueFor(tx, request, place, recipient));
  tx.signal(MAIL_QUEUED);
  return accepted;
}

async function keepContent(
  tx: Tx,
  { sender, content, variables }: MailRequest,
  settled: { readonly domain: number; readonly postalAddress: string | null },
): Promise<number> {
  const seq = await insertContent(tx, {
    ...settled,
    workspace: sender.workspace,
    templateId: content.templateId,
    kind: content.kind,
    lenient: content.lenient,
    fromAddress: content.from.address,
    fromName: content.from.name,
    replyTo: content.replyTo,
    subject: content.subject,
    html: content.html,
    text: content.text,
    headers: jsonUnlessEmpty(content.headers),
    data: jsonUnlessEmpty(variables),
    attachments: content.attachments.length,
    tracking: content.tracking,
  });
  for (const [position, attachment] of content.attachments.entries())
    await insertAttachment(tx, seq, position, attachment);
  return seq;
}

/** `language` is the workspace's; null = there is no footer. */
type Place = { readonly content: number; readonly language: Language | null };

async function queueFor(
  tx: Tx,
  request: MailRequest,
  { content, language }: Place,
  recipient: Mailbox,
): Promise<AcceptedMail> {
  const { workspace } = request.sender;
  const { contact } = await upsertContact(tx, workspace, {
    email: recipient.address,
    subscribed: request.subscribed,
    subscribedIfNew: false,
    data: request.contactData,
    name: recipient.name,
  });
  const marketing = request.content.kind === "MARKETING";
  if (marketing && !contact.subscribed) throw unsubscribed(contact);
  const id = newId(tx.nowMs);
  await insertEmail(tx, {
    id,
    workspace,
    contact: contact.seq,
    content,
    sourceType: request.sourceType,
    lane: marketing ? 1 : 0,
    dueAt: request.sendAtMs === null ? tx.now : iso(request.sendAtMs),
    toAddress: recipient.address,
    toName: recipient.name,
    variables: variablesOf(contact, request.content),
    language: language && languageOfContact(contact.data, language),
  });
  return { contact: { id: contact.id, email: contact.email }, email: id };
}

/** The contact's data as it is now, if the mail looks at it: what is sent is what was accepted. */
function variablesOf(contact: ContactRow, { subject, html, text }: Content): string | null {
  if (contact.data === "{}") return null;
  return hasVariables(subject) || hasVariables(html) || hasVariables(text ?? "") ? contact.data : null;
}

function jsonUnlessEmpty(value: Readonly<Record<string, unknown>>): string | null {
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
}

function unsubscribed(contact: ContactRow): AppError {
  return new AppError("CONTACT_UNSUBSCRIBED", `${contact.email} is not subscribed to marketing mail.`);
}
