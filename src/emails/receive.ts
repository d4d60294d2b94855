// Mail from outside to a workspace's domain: a record and an event for each recipient, and the bytes of the message.
import type { Mailbox } from "../addresses.ts";
import { upsertContact } from "../contacts/contact.ts";
import { contactByEmail } from "../contacts/queries.ts";
import { emit } from "../events/emit.ts";
import { newId } from "../ids.ts";
import type { Store, Tx } from "../store/store.ts";
import { insertContent } from "./content/queries.ts";
import { messageIdFor } from "./email.ts";
import { insertReceivedEmail, isNameOfSent, sliceOfContent } from "./received-queries.ts";

/** GRAY = the check cannot say, PROCESSING_FAILED = it could not be made. */
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
  /** The recipients of the envelope in this workspace, each once. */
  readonly recipients: readonly string[];
  /** Of the envelope; '' = none. */
  readonly returnPath: string;
  readonly receivedAt: string;
  /** From the header, or else the envelope; null if neither has one. */
  readonly sender: Mailbox | null;
  readonly fromHeader: string;
  readonly replyTo: string | null;
  readonly subject: string;
  /** With its angle brackets; null = the mail has none. */
  readonly messageId: string | null;
  /** HTML, else plain text; cut to what an event may hold. */
  readonly body: string;
  readonly attachments: number;
  /** A program wrote it. */
  readonly isAutomatic: boolean;
  readonly verdicts: Verdicts;
  readonly processingTimeMillis: number;
};

/**
 * Records the mail as RECEIVED for each recipient and emits email.received for each; answers the content's seq. The sender becomes a
 * contact, not subscribed, unless it is one already. A mail that a program wrote, or that is our own, has no contact, so that no workflow
 * answers it.
 */
export async function receive(tx: Tx, mail: IncomingMail): Promise<number> {
  const { workspace, sender, recipients, verdicts } = mail;
  const contact = await contactOf(tx, mail);
  const messageId = mail.messageId ?? messageIdFor(newId(tx.nowMs), recipients[0] ?? "");
  const from = sender ?? { address: "", name: null };
  const { replyTo, subject, returnPath, attachments } = mail;
  const unseen = { kind: "TRANSACTIONAL", html: "", text: "", domain: null, tracking: false } as const;
  const content = await insertContent(tx, {
    ...unseen,
    ...{ workspace, messageId, returnPath, replyTo, subject, from, attachments },
  });
  const facts = {
    messageId,
    from: from.address,
    fromHeader: mail.fromHeader,
    subject,
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
    await emit(tx, { workspace, name: "email.received", contact, email, data: { ...facts, to } });
  }
  return content;
}

async function contactOf(tx: Tx, mail: IncomingMail): Promise<number | null> {
  const { workspace, sender } = mail;
  if (!sender || mail.isAutomatic || (await isOurOwn(tx, mail))) return null;
  const known = await contactByEmail(tx, workspace, sender.address);
  if (known) return known.seq;
  const input = { email: sender.address, subscribed: undefined, subscribedIfNew: false, data: {}, name: sender.name };
  return (await upsertContact(tx, workspace, input)).contact.seq;
}

async function isOurOwn(tx: Tx, { workspace, messageId }: IncomingMail): Promise<boolean> {
  const name = /^<([^@>]+)@/.exec(messageId ?? "")?.[1];
  return name !== undefined && (await isNameOfSent(tx, workspace, name));
}

type Received = { readonly workspace: number; readonly content: number };

/** The message in slices, so that none of it needs much memory. Ends early if it is deleted. */
export async function* slicesOf(store: Store, { workspace, content }: Received): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const slice = await store.read((reader) => sliceOfContent(reader, content, number), { longFor: workspace });
    if (!slice) return;
    yield slice;
  }
}
