// THE DOOR. Every mail that is to leave comes in here, whoever asks for it: one content, one mail a recipient, all or none.
// It has an entrance for requests, and one for those who write to very many, a part of them at a time.
import { domainOf, type Mailbox } from "../addresses.ts";
import { upsertContact } from "../contacts/contact.ts";
import type { Variables } from "../contacts/data.ts";
import { contactByEmail, type ContactRow } from "../contacts/queries.ts";
import { languageOfContact } from "../contacts/language.ts";
import { AppError } from "../errors.ts";
import { iso } from "../clock.ts";
import { newId, sha256Hex } from "../ids.ts";
import type { Language } from "../languages/language.ts";
import type { Tx } from "../store/store.ts";
import type { TemplateType } from "../templates/queries.ts";
import { hasVariables } from "../templates/render.ts";
import { domainToSendFrom, type Sender } from "../workspaces/domains/domain.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { ownWorkspace } from "../workspaces/workspace.ts";
import { insertCampaignEmails, keptContent, type KeptContent, type Queued } from "./campaign-queries.ts";
import { insertContent, insertSharedContent, sharedContent } from "./content-queries.ts";
import { insertAttachment, type AttachmentRow } from "./attachment-queries.ts";
import { insertEmail, type SourceType } from "./queries.ts";
import { insertRaw } from "./raw-queries.ts";

/** Signalled when there may be mail to send. */
export const MAIL_QUEUED = "mail";

/** What is to be said, not rendered yet. */
export type Content = {
  readonly templateId?: string | null;
  readonly kind: TemplateType;
  readonly from: Mailbox;
  readonly replyTo?: string | null;
  readonly subject: string;
  readonly html: string;
  /** null = made from the HTML, "" = none. */
  readonly text?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly AttachmentRow[];
  /** False = opens and clicks are not looked for, whatever the workspace says. */
  readonly tracking?: boolean;
  /** The message as it was handed in: it leaves as it is, and all of the above but `from` and `subject` is nothing. */
  readonly raw?: RawMessage;
};

type RawMessage = { readonly bytes: Uint8Array; /** With its brackets. */ readonly messageId: string };

export type MailRequest = {
  readonly sender: Sender;
  readonly sourceType: SourceType;
  readonly content: Content;
  readonly recipients: readonly Mailbox[];
  /** What of the request's data is kept with each contact. */
  readonly contactData?: Variables;
  /** What of the request's data this mail uses. */
  readonly variables?: Variables;
  readonly subscribed?: boolean | undefined;
  /** Not before this; null = at once. */
  readonly sendAtMs?: number | null;
  /** Other requests say the same: the content is kept once for all of them, and `variables` goes with each mail. */
  readonly shared?: true;
};

export type AcceptedMail = {
  readonly contact: { readonly id: string; readonly email: string };
  readonly email: string;
};

/**
 * Queues one mail for each recipient (interface.md "POST /v1/send").
 * @throws AppError DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED, MARKETING_STOPPED; then nothing is queued for anybody
 */
export async function accept(tx: Tx, request: MailRequest): Promise<AcceptedMail[]> {
  const footer = await footerOf(tx, request.sender.workspace, request.content.kind);
  const stopped = footer?.marketing_stopped ?? null;
  if (stopped !== null) throw new AppError("MARKETING_STOPPED", stopped);
  const domain = await domainToSendFrom(tx, request.sender, domainOf(request.content.from.address));
  const toKeep = { ...request.content, ...request.sender, domain, data: request.shared ? {} : request.variables };
  const content = request.shared ? await share(tx, toKeep, footer) : await keep(tx, toKeep, footer);
  const place = { content, language: footer?.language ?? null };
  const accepted: AcceptedMail[] = [];
  for (const recipient of request.recipients) accepted.push(await queueFor(tx, request, place, recipient));
  tx.signal(MAIL_QUEUED);
  return accepted;
}

type ContentToKeep = Content & {
  readonly workspace: number;
  readonly domain: number | null;
  /** Variables that all its mails have. */
  readonly data?: Variables | undefined;
  /** A copy to look at. */
  readonly test?: true;
};

/** Keeps what mails say, once for all of them; answers its place. Nothing is queued yet. */
export async function keepContent(tx: Tx, content: ContentToKeep): Promise<number> {
  return keep(tx, content, await footerOf(tx, content.workspace, content.kind));
}

/** What the footer is made of, and whether mail with one may leave; null = there is no footer. */
type Footer = Pick<WorkspaceRow, "postal_address" | "language" | "marketing_stopped"> | null;

async function footerOf(tx: Tx, workspace: number, kind: Content["kind"]): Promise<Footer> {
  return kind === "MARKETING" ? ownWorkspace(tx, workspace) : null;
}

async function keep(tx: Tx, content: ContentToKeep, footer: Footer): Promise<number> {
  const { headers = {}, data = {}, attachments = [] } = content;
  const seq = await insertContent(tx, {
    workspace: content.workspace,
    domain: content.domain,
    templateId: content.templateId ?? null,
    kind: content.kind,
    fromAddress: content.from.address,
    fromName: content.from.name,
    replyTo: content.replyTo ?? null,
    subject: content.subject,
    html: content.html,
    text: content.text ?? null,
    headers: jsonUnlessEmpty(headers),
    data: jsonUnlessEmpty(data),
    attachments: attachments.length,
    tracking: content.tracking ?? true,
    postalAddress: footer?.postal_address ?? null,
    test: content.test === true,
    messageId: content.raw?.messageId ?? null,
  });
  for (const [position, attachment] of attachments.entries()) await insertAttachment(tx, seq, position, attachment);
  if (content.raw) await insertRaw(tx, seq, content.raw.bytes);
  return seq;
}

/** As `keep`, unless the very same is kept already. */
async function share(tx: Tx, content: ContentToKeep, footer: Footer): Promise<number> {
  const { workspace } = content;
  const digest = sha256Hex(JSON.stringify([footer?.postal_address ?? null, content]));
  const kept = await sharedContent(tx, workspace, digest);
  if (kept !== null) return kept;
  const seq = await keep(tx, content, footer);
  await insertSharedContent(tx, workspace, digest, seq);
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
    data: request.contactData ?? {},
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
    dueAt: request.sendAtMs == null ? tx.now : iso(request.sendAtMs),
    toAddress: recipient.address,
    toName: recipient.name,
    variables: request.content.raw ? null : variablesOf(withOwn(contact, request), request.content),
    language: language && languageOfContact(contact.data, language),
  });
  return { contact: { id: contact.id, email: contact.email }, email: id };
}

type Batch = {
  readonly workspace: number;
  readonly campaign: number;
  /** As `keepContent` answered. */
  readonly content: number;
  readonly contacts: readonly Addressee[];
};
export type Addressee = Pick<ContactRow, "seq" | "email" | "subscribed"> & { /** JSON text. */ readonly data: string };

/** More rows in one statement would make it longer than both engines take. */
const ROWS_A_STATEMENT = 50;

/**
 * Queues one mail for each contact of a campaign's content, which is kept already; answers which mail is whose, in no order.
 * Whom this is called for twice gets two mails: the caller keeps the count in the same transaction.
 * @throws AppError DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED; then nothing is queued for anybody
 */
export async function acceptBatch(tx: Tx, batch: Batch): Promise<Queued[]> {
  const { workspace, campaign, content, contacts } = batch;
  const kept = (await keptContent(tx, content)) as KeptContent;
  await domainToSendFrom(tx, { workspace, domains: null }, domainOf(kept.from_address));
  const refused = kept.kind === "MARKETING" ? contacts.find(({ subscribed }) => subscribed !== 1) : undefined;
  if (refused) throw unsubscribed(refused);
  const language = (await footerOf(tx, workspace, kept.kind))?.language ?? null;
  const emails = contacts.map((contact) => ({
    id: newId(tx.nowMs),
    workspace,
    contact: contact.seq,
    content,
    campaign,
    dueAt: tx.now,
    toAddress: contact.email,
    variables: variablesOf(contact, kept),
    language: language && languageOfContact(contact.data, language),
  }));
  const queued: Queued[] = [];
  for (let from = 0; from < emails.length; from += ROWS_A_STATEMENT)
    queued.push(...(await insertCampaignEmails(tx, emails.slice(from, from + ROWS_A_STATEMENT))));
  tx.signal(MAIL_QUEUED);
  return queued;
}

/**
 * Queues one copy of a content to look at, ahead of marketing mail; answers the mail's id. Whoever it goes to sees what that
 * contact would see, if there is one with this address; nobody becomes a contact by it.
 * @throws AppError DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED
 */
export async function acceptTest(tx: Tx, sender: Sender, content: Content, toAddress: string): Promise<string> {
  const { workspace } = sender;
  const domain = await domainToSendFrom(tx, sender, domainOf(content.from.address));
  const contact = await contactByEmail(tx, workspace, toAddress);
  const footer = await footerOf(tx, workspace, content.kind);
  const language = footer?.language ?? null;
  const id = newId(tx.nowMs);
  await insertEmail(tx, {
    id,
    workspace,
    contact: contact?.seq ?? null,
    content: await keep(tx, { ...content, tracking: false, workspace, domain, test: true }, footer),
    sourceType: "CAMPAIGN",
    lane: 0,
    dueAt: tx.now,
    toAddress,
    toName: null,
    variables: contact && variablesOf(contact, content),
    language: language && languageOfContact(contact?.data ?? "{}", language),
  });
  tx.signal(MAIL_QUEUED);
  return id;
}

/** What a mail of a shared content has for itself stands beside the contact's data, and above it. */
function withOwn({ data }: ContactRow, { shared, variables = {} }: MailRequest): { readonly data: string } {
  if (!shared || Object.keys(variables).length === 0) return { data };
  return { data: JSON.stringify({ ...(JSON.parse(data) as Variables), ...variables }) };
}

/** The contact's data as it is now, if the mail looks at it: what is sent is what was accepted. */
function variablesOf(
  contact: Pick<ContactRow, "data">,
  { subject, html, text }: Pick<Content, "subject" | "html" | "text">,
): string | null {
  if (contact.data === "{}") return null;
  return hasVariables(subject) || hasVariables(html) || hasVariables(text ?? "") ? contact.data : null;
}

function jsonUnlessEmpty(value: Readonly<Record<string, unknown>>): string | null {
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
}

function unsubscribed(contact: Pick<ContactRow, "email">): AppError {
  return new AppError("CONTACT_UNSUBSCRIBED", `${contact.email} is not subscribed to marketing mail.`);
}
