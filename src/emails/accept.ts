// THE DOOR. Every outgoing mail is accepted here: one content, one mail a recipient, all or none. Requests have one entrance,
// campaigns another one for many contacts at a time.
import { domainOf, type Mailbox } from "../addresses.ts";
import { iso } from "../clock.ts";
import { upsertContact } from "../contacts/contact.ts";
import { languageOfContact, type Variables } from "../contacts/data.ts";
import { contactByEmail, type Contact } from "../contacts/queries.ts";
import { AppError } from "../errors.ts";
import { tellChange } from "../events/news.ts";
import { newId, sha256Hex } from "../ids.ts";
import type { Language } from "../languages/language.ts";
import type { Tx } from "../store/store.ts";
import { hasVariables } from "../templates/render.ts";
import { domainToSendFrom, type Sender } from "../workspaces/domains/domain.ts";
import type { Workspace } from "../workspaces/queries.ts";
import { ownWorkspace } from "../workspaces/workspace.ts";
import { insertCampaignEmails, type Queued } from "./campaign-queries.ts";
import * as contents from "./content/queries.ts";
import type { Content, ContentToRepeat, KeptContent, NewContent, Origin } from "./content/queries.ts";
import { contentGone } from "./content/gone.ts";
import { reuseContent, reuseShared } from "./content/reuse-queries.ts";
import { insertEmail, insertRepeat, type Mail } from "./queries.ts";
import { announce } from "./queued.ts";
import type { SourceType } from "./shape.ts";

export type MailRequest = {
  readonly sender: Sender;
  readonly sourceType: SourceType;
  readonly content: Content;
  readonly recipients: readonly Mailbox[];
  /** The part of the request's data that is kept with each contact. */
  readonly contactData?: Variables;
  /** The part of the request's data that this mail uses. */
  readonly variables?: Variables;
  readonly subscribed?: boolean | undefined;
  /** Not before this; null = at once. */
  readonly sendAtMs?: number | null;
  /** Other requests have the same content: it is stored once, and each mail has its own `variables`. */
  readonly shared?: true;
  readonly origin?: Origin;
  /** The workflow that sends it. */
  readonly workflowId?: string;
};

export type AcceptedMail = {
  readonly contact: { readonly id: string; readonly email: string };
  readonly email: string;
};

/**
 * Queues one mail for each recipient (docs/sending.md).
 * @throws AppError DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED, MARKETING_STOPPED; then nothing is queued for anybody
 */
export async function accept(tx: Tx, request: MailRequest): Promise<AcceptedMail[]> {
  const footer = await footerOf(tx, request.sender.workspace, request.content.kind);
  const stopped = footer?.marketingStopped ?? null;
  if (stopped !== null) throw new AppError("MARKETING_STOPPED", stopped);
  const domain = await domainToSendFrom(tx, request.sender, domainOf(request.content.from.address));
  const { origin } = request;
  const toKeep = {
    ...request.content,
    ...request.sender,
    domain,
    data: request.shared ? {} : request.variables,
    origin,
  };
  const content = request.shared ? await share(tx, toKeep, footer) : await keep(tx, toKeep, footer);
  const place = { content, language: footer?.language ?? null };
  const accepted: AcceptedMail[] = [];
  for (const recipient of request.recipients) accepted.push(await queueFor(tx, request, place, recipient));
  announce(tx, { ...request.sender, sourceType: request.sourceType, mails: accepted.length });
  tellChange(tx, "mails", request.sender.workspace);
  return accepted;
}

type ContentToKeep = Content & Pick<NewContent, "workspace" | "domain" | "data" | "test" | "private" | "origin">;

/** Keeps what mails say, once for all of them; answers its seq. Nothing is queued yet. */
export async function keepContent(tx: Tx, content: ContentToKeep): Promise<number> {
  return keep(tx, content, await footerOf(tx, content.workspace, content.kind));
}

/** What the footer needs, and whether mail with one may leave; null = there is no footer. */
type Footer = Pick<Workspace, "postalAddress" | "language" | "marketingStopped"> | null;

async function footerOf(tx: Tx, workspace: number, kind: Content["kind"]): Promise<Footer> {
  return kind === "MARKETING" ? ownWorkspace(tx, workspace) : null;
}

async function keep(tx: Tx, content: ContentToKeep, footer: Footer): Promise<number> {
  const { attachments = [], raw } = content;
  const seq = await contents.insertContent(tx, {
    ...content,
    attachments: attachments.length,
    messageId: raw?.messageId ?? null,
    postalAddress: footer?.postalAddress ?? null,
  });
  for (const [position, attachment] of attachments.entries())
    await contents.insertAttachment(tx, seq, position, attachment);
  if (raw) await contents.insertRaw(tx, seq, raw.bytes);
  return seq;
}

/** As `keep`, unless exactly this content is kept already. */
async function share(tx: Tx, content: ContentToKeep, footer: Footer): Promise<number> {
  const { workspace } = content;
  const digest = sha256Hex(JSON.stringify([footer?.postalAddress ?? null, content]));
  const kept = await reuseShared(tx, workspace, digest);
  if (kept !== null) return kept;
  const seq = await keep(tx, content, footer);
  await contents.insertSharedContent(tx, workspace, digest, seq);
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
  const own = request.shared ? { ...contact.data, ...request.variables } : contact.data;
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
    variables: request.content.raw ? null : variablesFor(request.content, own),
    language: language && languageOfContact(contact.data, language),
    workflowId: request.workflowId ?? null,
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
export type Addressee = Pick<Contact, "seq" | "email" | "subscribed" | "data">;

/** More rows in one statement would make it longer than both engines take. */
const ROWS_A_STATEMENT = 50;

/**
 * Queues one mail for each contact of a campaign; answers which mail is whose, in no order. A contact that comes twice gets two
 * mails: the caller keeps the count in the same transaction.
 * @throws AppError DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED; then nothing is queued for anybody
 */
export async function acceptBatch(tx: Tx, batch: Batch): Promise<Queued[]> {
  const { workspace, campaign, content, contacts } = batch;
  const kept = (await contents.keptContent(tx, content)) as KeptContent;
  await domainToSendFrom(tx, { workspace, domains: null }, domainOf(kept.fromAddress));
  const refused = kept.kind === "MARKETING" ? contacts.find(({ subscribed }) => !subscribed) : undefined;
  if (refused) throw unsubscribed(refused);
  const language = (await footerOf(tx, workspace, kept.kind))?.language ?? null;
  const emails = contacts.map(({ seq: contact, email: toAddress, data }) => ({
    id: newId(tx.nowMs),
    workspace,
    contact,
    content,
    campaign,
    dueAt: tx.now,
    toAddress,
    variables: variablesFor(kept, data),
    language: language && languageOfContact(data, language),
  }));
  const queued: Queued[] = [];
  for (let from = 0; from < emails.length; from += ROWS_A_STATEMENT)
    queued.push(...(await insertCampaignEmails(tx, emails.slice(from, from + ROWS_A_STATEMENT))));
  announce(tx, { workspace, sourceType: "CAMPAIGN", mails: queued.length });
  tellChange(tx, "mails", workspace);
  return queued;
}

/**
 * Queues a test copy, ahead of marketing mail; answers the mail's id. It says what a contact with this address would read, if
 * there is one; the address does not become a contact.
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
    variables: contact && variablesFor(content, contact.data),
    language: language && languageOfContact(contact?.data ?? {}, language),
    workflowId: null,
  });
  announce(tx, { workspace, sourceType: "CAMPAIGN" });
  tellChange(tx, "mails", workspace);
  return id;
}

/** A mail of this server to somebody who does not become a contact; nobody else may read it. */
type PrivateMail = {
  readonly workspace: number;
  readonly content: Content;
  readonly toAddress: string;
  readonly variables: Variables;
};

/** Queues it. @throws AppError DOMAIN_NOT_VERIFIED */
export async function acceptPrivate(tx: Tx, { workspace, content, toAddress, variables }: PrivateMail): Promise<void> {
  const domain = await domainToSendFrom(tx, { workspace, domains: null }, domainOf(content.from.address));
  const kept = { ...content, tracking: false, workspace, domain, data: variables, private: true as const };
  await insertEmail(tx, {
    id: newId(tx.nowMs),
    workspace,
    contact: null,
    content: await keep(tx, kept, null),
    sourceType: "TRANSACTIONAL",
    lane: 0,
    dueAt: tx.now,
    toAddress,
    toName: null,
    variables: {},
    language: null,
    workflowId: null,
  });
  announce(tx, { workspace, sourceType: "TRANSACTIONAL" });
}

/**
 * Queues a mail again, with the same content and for the same address; answers the id of the new one.
 * @throws AppError DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED, MARKETING_STOPPED, CONTENT_GONE
 */
export async function acceptAgain(tx: Tx, sender: Sender, mail: Mail, content: ContentToRepeat): Promise<string> {
  const stopped = (await footerOf(tx, sender.workspace, content.kind))?.marketingStopped ?? null;
  if (stopped !== null) throw new AppError("MARKETING_STOPPED", stopped);
  const domain = await domainToSendFrom(tx, sender, domainOf(mail.fromAddress));
  const contact = await contactByEmail(tx, sender.workspace, mail.toAddress);
  if (content.kind === "MARKETING" && !contact?.subscribed) throw unsubscribed({ email: mail.toAddress });
  if (!(await reuseContent(tx, mail.content))) throw contentGone(tx.now);
  if (domain !== content.domain) await contents.setContentDomain(tx, mail.content, domain);
  const id = newId(tx.nowMs);
  await insertRepeat(tx, mail.seq, { id, contact: contact?.seq ?? null, lane: content.kind === "MARKETING" ? 1 : 0 });
  announce(tx, { ...sender, sourceType: mail.sourceType });
  return id;
}

/** The data as it is now, if the mail uses any: what is sent is what was accepted. */
function variablesFor(
  { subject, preheader, html, text }: Pick<Content, "subject" | "preheader" | "html" | "text">,
  data: Variables,
): Variables | null {
  return [subject, preheader ?? "", html, text ?? ""].some(hasVariables) ? data : null;
}

function unsubscribed(contact: Pick<Contact, "email">): AppError {
  return new AppError("CONTACT_UNSUBSCRIBED", `${contact.email} is not subscribed to marketing mail.`, {
    reason: "unsubscribed",
    values: { email: contact.email },
  });
}
