// A message that was handed in, as the door needs to know it: who it is from, what it is about, and what is taken off and put on.
import { domainOf, type Mailbox } from "../addresses.ts";
import { asciiField, needsUtf8 } from "../emails/mime/ascii-field.ts";
import { decodedWords } from "../emails/mime/encoded-words.ts";
import { dateText, oneLine } from "../emails/mime/header-field.ts";
import { messageIdFor } from "../emails/message-id.ts";
import { valueIn } from "../emails/mime/message-bytes.ts";
import { isIdempotencyKey } from "../http/idempotency.ts";
import { newId } from "../ids.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { faulty, messageOf, readMessage, type Field, type Message } from "./message-header.ts";
import { oneMailbox } from "./one-mailbox.ts";
import type { Mark } from "./repeats.ts";

export type Submitted = {
  readonly from: Mailbox;
  /** The domain in the field Sender, which readers are shown beside From; null = there is none. */
  readonly senderDomain: string | null;
  readonly subject: string;
  readonly replyTo: string | null;
  /** With its brackets. */
  readonly messageId: string;
  /** By what it is known when it comes again; null = by nothing. */
  readonly mark: Mark | null;
  /** As it leaves, but for our signature. */
  readonly bytes: Buffer;
};

/** Bcc would tell; the others are for whoever takes the message, and we are the one who signs. */
const TAKEN_OFF = new Set(["bcc", "resent-bcc", "return-path", "dkim-signature", "idempotency-key"]);
/** RFC 5322 §3.6. Two of them, and readers would disagree on which one counts. */
const ONCE = [
  "from",
  "sender",
  "reply-to",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
];
const LONGEST_SUBJECT_CHARS = 998;

/** @throws SmtpReply if it cannot leave as it is */
export function readSubmitted(raw: Buffer, nowMs: number): Submitted {
  const message = readMessage(raw);
  const { fields } = message;
  refuse(fields);
  const from = oneMailbox(valueOf(fields, "from"));
  // One mailbox, since its domain decides whether the message may leave.
  if (!from) throw faulty("The field From must be there, with one address");
  const given = valueOf(fields, "message-id");
  const messageId = given || messageIdFor(newId(nowMs), from.address);
  const subject = oneLine(decodedWords(valueOf(fields, "subject"))).slice(0, LONGEST_SUBJECT_CHARS);
  return {
    from,
    senderDomain: senderDomainOf(fields),
    subject,
    messageId,
    replyTo: oneMailbox(valueOf(fields, "reply-to"))?.address ?? null,
    mark: markOf(message, { from: from.address, subject }),
    bytes: withAdded(raw, message, { "message-id": `Message-ID: ${messageId}`, date: `Date: ${dateText(nowMs)}` }),
  };
}

/** @throws SmtpReply if the field is there without one address */
function senderDomainOf(fields: readonly Field[]): string | null {
  const value = valueOf(fields, "sender");
  if (value === "") return null;
  const sender = oneMailbox(value);
  if (!sender) throw faulty("The field Sender must have one address");
  return domainOf(sender.address);
}

/** The message without what is taken off, with those of the fields that it lacks, or that are empty in it, in front. */
function withAdded(raw: Buffer, { fields, body }: Message, wanted: Readonly<Record<string, string>>): Buffer {
  const missing = Object.keys(wanted).filter((name) => valueOf(fields, name) === "");
  const added = missing.map((name) => ({ name, raw: `${wanted[name]}\r\n` }));
  const kept = fields.filter(({ name }) => !TAKEN_OFF.has(name) && !missing.includes(name));
  // An address that only SMTPUTF8 can carry is left until it is known who gets the mail.
  const written = kept.map((field) => (needsUtf8(field.raw) ? field : { ...field, raw: asciiField(field.raw) }));
  const isWhole = missing.length === 0 && written.length === fields.length;
  // A large message is not copied for nothing.
  if (isWhole && written.every((field, at) => field.raw === fields[at]?.raw)) return raw;
  return messageOf([...added, ...written], body);
}

function refuse(fields: readonly Field[]): void {
  const names = fields.map(({ name }) => name);
  for (const name of ONCE) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw faulty(`The field ${name} may stand only once`);
  }
  // With these a mail could send its bounces elsewhere.
  if (names.some((name) => name.startsWith("x-ses-")))
    throw faulty("Fields whose names begin with X-SES- are not taken");
}

/** "" if there is no such field. */
function valueOf(fields: readonly Field[], name: string): string {
  const found = fields.find((field) => field.name === name);
  return found ? valueIn(found.raw) : "";
}

/**
 * Its Idempotency-Key, else its Message-ID (interface-gaps.md §7). A message without a name of its own cannot be told from
 * another one like it. @throws SmtpReply if the key is none
 */
function markOf({ fields, body }: Message, { from, subject }: { from: string; subject: string }): Mark | null {
  const key = valueOf(fields, "idempotency-key");
  if (fields.some(({ name }) => name === "idempotency-key")) {
    if (!isIdempotencyKey(key)) throw faulty("The Idempotency-Key must be 1 to 255 printable ASCII characters");
    const contentType = valueOf(fields, "content-type");
    const encoding = valueOf(fields, "content-transfer-encoding").toLowerCase();
    return { kind: "key", value: key, fingerprint: fingerprintOf({ from, subject, contentType, encoding, body }) };
  }
  const messageId = valueOf(fields, "message-id");
  return messageId === "" ? null : { kind: "message-id", value: messageId };
}
