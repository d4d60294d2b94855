// Mail that comes from outside to a workspace's domain: a record for each recipient, and the event that tells of it.
import type { Mailbox } from "../addresses.ts";
import { upsertContact } from "../contacts/contact.ts";
import { contactByEmail } from "../contacts/queries.ts";
import { emit } from "../events/emit.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import { messageIdFor } from "./message-id.ts";
import { insertReceivedContent, insertReceivedEmail, isNameOfSent } from "./received-queries.ts";

/** What a check found: GRAY = it cannot say, PROCESSING_FAILED = it could not be made (interface.md "Event data: email.received"). */
export type Verdict = "PASS" | "FAIL" | "GRAY" | "PROCESSING_FAILED";

export type Verdicts = {
  readonly spamVerdict: Verdict;
  readonly virusVerdict: Verdict;
  readonly spfVerdict: Verdict;
  readonly dkimVerdict: Verdict;
  readonly dmarcVerdict: Verdict;
};

type IncomingMail = {
  readonly workspace: number;
  /** Those of the envelope in this workspace, each once. */
  readonly recipients: readonly string[];
  /** Of the envelope; '' = none. */
  readonly returnPath: string;
  readonly receivedAt: string;
  /** As the header says, or the envelope; null if neither names anybody. */
  readonly sender: Mailbox | null;
  readonly fromHeader: string;
  readonly replyTo: string | null;
  readonly subject: string;
  /** With its angle brackets; null = the mail has none. */
  readonly messageId: string | null;
  /** HTML, else plain text; already cut to what an event may hold. */
  readonly body: string;
  readonly attachments: number;
  /** A program wrote it: it comes from no contact. */
  readonly isAutomatic: boolean;
  readonly verdicts: Verdicts;
  readonly processingTimeMillis: number;
};

/**
 * Records the mail as RECEIVED for each recipient and emits email.received for each (interface.md "Event data: email.received").
 * The sender becomes a contact, not subscribed, unless it is one already (interface-gaps.md §2). What a program has written, or
 * came back of our own, comes from no contact, so that no workflow answers it. Answers the content's seq.
 */
export async function receive(tx: Tx, mail: IncomingMail): Promise<number> {
  const { workspace, sender, recipients, verdicts } = mail;
  const contact = await contactOf(tx, mail);
  const messageId = mail.messageId ?? messageIdFor(newId(tx.nowMs), recipients[0] ?? "");
  const content = await insertReceivedContent(tx, {
    workspace,
    messageId,
    returnPath: mail.returnPath,
    replyTo: mail.replyTo,
    subject: mail.subject,
    fromAddress: sender?.address ?? "",
    fromName: sender?.name ?? null,
    attachments: mail.attachments,
  });
  const said = {
    messageId,
    from: sender?.address ?? "",
    fromHeader: mail.fromHeader,
    subject: mail.subject,
    timestamp: mail.receivedAt,
    recipients,
    hasContent: mail.body !== "",
    body: mail.body,
    ...verdicts,
    processingTimeMillis: mail.processingTimeMillis,
  };
  for (const to of recipients) {
    const record = { id: newId(tx.nowMs), workspace, contact, content, toAddress: to, receivedAt: mail.receivedAt };
    const email = await insertReceivedEmail(tx, record);
    await emit(tx, { workspace, name: "email.received", contact, email, data: { ...said, to } });
  }
  return content;
}

async function contactOf(tx: Tx, mail: IncomingMail): Promise<number | null> {
  const { workspace, sender } = mail;
  if (!sender || mail.isAutomatic || (await isOurOwn(tx, mail))) return null;
  const known = await contactByEmail(tx, workspace, sender.address);
  if (known) return known.seq;
  const wish = { email: sender.address, subscribed: undefined, subscribedIfNew: false, data: {}, name: sender.name };
  return (await upsertContact(tx, workspace, wish)).contact.seq;
}

async function isOurOwn(tx: Tx, { workspace, messageId }: IncomingMail): Promise<boolean> {
  const name = /^<([^@>]+)@/.exec(messageId ?? "")?.[1];
  return name !== undefined && (await isNameOfSent(tx, workspace, name));
}
