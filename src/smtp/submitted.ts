// A submitted message as the door needs it: sender, subject, name; and its bytes with fields removed and added.
import { domainOf, isDisplayName, parseMailbox, type Mailbox } from "../addresses.ts";
import { messageIdFor } from "../emails/email.ts";
import { addressTokens, inside } from "../emails/mime/address-tokens.ts";
import { asciiField, needsUtf8 } from "../emails/mime/ascii-field.ts";
import { decodedWords } from "../emails/mime/encoded-words.ts";
import { dateText, oneLine } from "../emails/mime/header-field.ts";
import { fieldsIn, hasLongLine, takenApart, valueIn } from "../emails/mime/message-bytes.ts";
import { isIdempotencyKey } from "../http/idempotency.ts";
import { newId } from "../ids.ts";
import { SmtpReply } from "../smtp-listener/smtp-reply.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Idempotency } from "./idempotency.ts";

export type Submitted = {
  readonly from: Mailbox;
  /** The domain in the field Sender, which readers are shown beside From; null = there is none. */
  readonly senderDomain: string | null;
  readonly subject: string;
  readonly replyTo: string | null;
  /** With its brackets. */
  readonly messageId: string;
  /** By what it is known when it comes again; null = by nothing. */
  readonly idempotency: Idempotency | null;
  /** As it leaves, but for our signature. */
  readonly bytes: Buffer;
};

/** Bcc would give recipients away; the others belong to the receiving server, or to us, who sign. */
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
  if (!from) throw faulty("The From field is required and must have one address");
  const given = valueOf(fields, "message-id");
  const messageId = given || messageIdFor(newId(nowMs), from.address);
  const subject = oneLine(decodedWords(valueOf(fields, "subject"))).slice(0, LONGEST_SUBJECT_CHARS);
  return {
    from,
    senderDomain: senderDomainOf(fields),
    subject,
    messageId,
    replyTo: oneMailbox(valueOf(fields, "reply-to"))?.address ?? null,
    idempotency: idempotencyOf(message, { from: from.address, subject }),
    bytes: withAdded(raw, message, { "message-id": `Message-ID: ${messageId}`, date: `Date: ${dateText(nowMs)}` }),
  };
}

/** @throws SmtpReply if the field is there without one address */
function senderDomainOf(fields: readonly Field[]): string | null {
  const value = valueOf(fields, "sender");
  if (value === "") return null;
  const sender = oneMailbox(value);
  if (!sender) throw faulty("The Sender field must have one address");
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
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw faulty(`The ${name} field may appear only once`);
  }
  // With these a mail could send its bounces elsewhere.
  if (names.some((name) => name.startsWith("x-ses-")))
    throw faulty("Header fields that begin with X-SES- are not accepted");
}

/** "" if there is no such field. */
function valueOf(fields: readonly Field[], name: string): string {
  const found = fields.find((field) => field.name === name);
  return found ? valueIn(found.raw) : "";
}

/**
 * Its Idempotency-Key, else its Message-ID. A message without a name of its own cannot be told from
 * another one like it. @throws SmtpReply if the key is none
 */
function idempotencyOf(
  { fields, body }: Message,
  { from, subject }: { from: string; subject: string },
): Idempotency | null {
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

/** `name` in lower case; `raw` is the whole field in latin1, folded as it came, with its CRLF. */
export type Field = { readonly name: string; readonly raw: string };
export type Message = { readonly fields: readonly Field[]; readonly body: Buffer };

const LARGEST_HEADER_BYTES = 128 * 1024;
const FIELD = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:/;

/** @throws SmtpReply for what is no header. `raw` has CRLF line ends. */
function readMessage(raw: Buffer): Message {
  const { header, body } = takenApart(raw);
  if (header === "") throw faulty("The message begins with an empty line, so it has no header");
  if (header.length > LARGEST_HEADER_BYTES) throw new SmtpReply(552, "5.3.4", "The header is larger than 128 KB");
  if (hasLongLine(raw.subarray(0, header.length))) throw faulty("A line of the header is longer than 998 bytes");
  return { fields: fieldsIn(header).map(fieldOf), body };
}

/** The fields and the body put together again. */
export function messageOf(fields: readonly Field[], body: Buffer): Buffer {
  const header = fields.map(({ raw }) => raw).join("");
  return Buffer.concat([Buffer.from(`${header}\r\n`, "latin1"), body]);
}

export function faulty(text: string): SmtpReply {
  return new SmtpReply(550, "5.6.0", text);
}

function fieldOf(line: string, index: number): Field {
  const name = FIELD.exec(line)?.[1]?.toLowerCase();
  if (name === undefined) throw faulty(`Header field ${index + 1} is invalid: it needs a name and a colon`);
  return { name, raw: `${line}\r\n` };
}

/**
 * The one mailbox of a field (RFC 5322 §3.4), its name before the address or, as in `ada@example.test (Ada)`, in a comment
 * behind it; null if it is anything else. A name that cannot be shown is none.
 */
function oneMailbox(value: string): Mailbox | null {
  const tokens = addressTokens(value);
  if (tokens === null || tokens.some(({ kind }) => kind === "separator")) return null;
  const comment = tokens.find(({ kind }) => kind === "comment");
  const mailbox = parseMailbox(tokens.map(({ kind, text }) => (kind === "comment" ? " " : text)).join(""));
  if (mailbox === null) return null;
  const name = decodedWords(mailbox.name ?? (comment ? inside(comment).trim() : ""));
  return { address: mailbox.address, name: name !== "" && isDisplayName(name) ? name : null };
}
