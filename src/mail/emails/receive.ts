// Mail from outside to a workspace's domain: a record and an event for each recipient, and the bytes of the message.
import type { Mailbox } from "../../base/addresses.ts";
import { upsertContact, type UpsertResult } from "../../audience/contacts/upsert.ts";
import { SENDER_VOICE } from "../../audience/contacts/voices.ts";
import { happened } from "../../tenant/events/happened.ts";
import { newId } from "../../base/ids.ts";
import type { Store, Tx } from "../../store/store.ts";
import { insertContent } from "./content/queries.ts";
import { messageIdFor } from "./content/message-id.ts";
import type { RecipientRole } from "./shape.ts";
import { insertReceivedEmails, namesOfSent, sliceOfContent, type SentName } from "./received-queries.ts";

/** GRAY = the check has no result, PROCESSING_FAILED = it could not be made. */
export type ScanVerdict = "PASS" | "FAIL" | "GRAY" | "PROCESSING_FAILED";

export type ScanVerdicts = {
  readonly spamVerdict: ScanVerdict;
  readonly virusVerdict: ScanVerdict;
  readonly spfVerdict: ScanVerdict;
  readonly dkimVerdict: ScanVerdict;
  readonly dmarcVerdict: ScanVerdict;
};

/** The addresses in a header. */
export type HeaderAddresses = { readonly to: readonly string[]; readonly cc: readonly string[] };

type IncomingFile = { readonly filename: string | null; readonly contentType: string; readonly size: number };

export type IncomingMail = {
  readonly workspace: number;
  /** The recipients of the envelope in this workspace, each once. */
  readonly recipients: readonly string[];
  /** The sender of the envelope; '' = none. */
  readonly returnPath: string;
  readonly receivedAt: string;
  /** The author in the header, or else the sender of the envelope; null if neither has an address. */
  readonly sender: Mailbox | null;
  readonly fromHeader: string;
  readonly replyTo: string | null;
  readonly addressed: HeaderAddresses;
  readonly subject: string;
  /** With its angle brackets; null = the mail has none. */
  readonly messageId: string | null;
  /** The Message-ID that it answers, and those before it; each with its angle brackets. */
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  /** HTML, else plain text; cut to the limit of an event. */
  readonly body: string;
  /** Plain text, cut as well. */
  readonly text: string;
  readonly files: readonly IncomingFile[];
  /** A program wrote it. */
  readonly isAutomatic: boolean;
  readonly verdicts: ScanVerdicts;
  readonly processingTimeMillis: number;
};

/**
 * Records each mail as RECEIVED for each of its recipients and emits email.received for each; answers the seqs of their
 * contents. The sender becomes a contact, not subscribed, unless it is one already. A mail written by a program, or our
 * own mail, gets no contact, so that no workflow answers it.
 * @throws AppError as `upsertContact`; then nothing is recorded
 */
export async function receiveEach(tx: Tx, mails: readonly IncomingMail[]): Promise<number[]> {
  const contacts = await contactsOf(tx, mails);
  const named = mails.map((mail) => ({
    ...mail,
    messageId: mail.messageId ?? messageIdFor(newId(tx.nowMs), mail.recipients[0] ?? ""),
  }));
  const groups = named.map(({ recipients }) => (recipients.length > 1 ? newId(tx.nowMs) : undefined));
  const contents = await Promise.all(named.map((mail, at) => insertContent(tx, inboundContent(mail, groups[at]))));
  const records = named.flatMap((mail, index) =>
    mail.recipients.map((to) => ({
      id: newId(tx.nowMs),
      workspace: mail.workspace,
      contact: contacts[index] ?? null,
      content: contents[index] as number,
      toAddress: to,
      role: mail.recipients.length > 1 ? roleOf(to, mail.addressed) : null,
      receivedAt: mail.receivedAt,
      mail,
    })),
  );
  const emails = await insertReceivedEmails(tx, records);
  await Promise.all(
    records.map(({ id, workspace, contact, toAddress: to, mail }, index) => {
      const about = { workspace, contact, email: emails[index] as number };
      return happened(tx, "email.received", about, { ...factsOf(mail), to, emailId: id });
    }),
  );
  return contents;
}

function roleOf(address: string, { to, cc }: HeaderAddresses): RecipientRole {
  if (to.includes(address)) return "TO";
  return cc.includes(address) ? "CC" : "BCC";
}

/** `group`: for several recipients. */
function inboundContent(mail: IncomingMail, group: string | undefined) {
  const { workspace, messageId, returnPath, replyTo, subject, sender, files } = mail;
  const unseen = { kind: "TRANSACTIONAL", html: "", text: "", domain: null, tracking: false } as const;
  const from = sender ?? { address: "", name: null };
  return { ...unseen, workspace, messageId, group, returnPath, replyTo, subject, from, attachments: files.length };
}

/** The mail's own list has the others. */
const MAX_FILES_TOLD = 100;

function factsOf({ messageId, sender, recipients, body, verdicts, ...mail }: IncomingMail & { messageId: string }) {
  return {
    messageId,
    from: sender?.address ?? "",
    fromHeader: mail.fromHeader,
    subject: mail.subject,
    timestamp: mail.receivedAt,
    recipients,
    addressed: mail.addressed,
    hasContent: body !== "",
    body,
    text: mail.text,
    inReplyTo: mail.inReplyTo,
    references: mail.references,
    attachments: mail.files
      .slice(0, MAX_FILES_TOLD)
      .map(({ filename, contentType, size }, number) => ({ id: String(number), filename, contentType, size })),
    ...verdicts,
    processingTimeMillis: mail.processingTimeMillis,
  };
}

/** The sender's contact for each mail, or null. */
async function contactsOf(tx: Tx, mails: readonly IncomingMail[]): Promise<(number | null)[]> {
  const ours = new Set((await namesOfSent(tx, mails.flatMap(sentNamesOf))).map(sentNameKey));
  const people = mails.map((mail) =>
    mail.isAutomatic || sentNamesOf(mail).some((one) => ours.has(sentNameKey(one))) ? null : mail.sender,
  );
  const contactOf = async (sender: Mailbox | null, index: number) =>
    sender && (await upsertSender(tx, (mails[index] as IncomingMail).workspace, sender)).contact.seq;
  return Promise.all(people.map(contactOf));
}

/** An existing contact stays unchanged. */
function upsertSender(tx: Tx, workspace: number, { address: email, name }: Mailbox): Promise<UpsertResult> {
  const input = { voice: SENDER_VOICE, email, name, subscribed: undefined, subscribedIfNew: false, data: {} };
  return upsertContact(tx, workspace, input);
}

/** The name by which we would know it as our own mail; none without a Message-ID. */
function sentNamesOf({ workspace, messageId }: IncomingMail): readonly SentName[] {
  const name = /^<([^@>]+)@/.exec(messageId ?? "")?.[1];
  return name === undefined ? [] : [{ workspace, name }];
}

function sentNameKey({ workspace, name }: SentName): string {
  return `${workspace} ${name}`;
}

type InboundMailRef = { readonly workspace: number; readonly content: number };

/** The message in slices, so that each takes little memory. Ends early if the message is deleted. */
export async function* slicesOf(store: Store, { workspace, content }: InboundMailRef): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const slice = await store.read((reader) => sliceOfContent(reader, content, number), { longFor: workspace });
    if (!slice) return;
    yield slice;
  }
}
