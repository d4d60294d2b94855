// A submitted message as the door needs it: sender, subject, name; and its bytes with fields removed and added.
import { domainOf, isDisplayName, parseMailbox, type Mailbox } from "../../base/addresses.ts";
import { messageIdFor } from "../emails/content/message-id.ts";
import { isTag, LONGEST_VALUE, MOST_TAGS, readLabels, type Labels } from "../../base/labels.ts";
import { addressTokens, inside } from "../../content/mime/address-tokens.ts";
import { asciiField, needsUtf8 } from "../../content/mime/ascii-field.ts";
import { isOfCarriers } from "../../content/mime/custom-headers.ts";
import { decodedWords } from "../../content/mime/encoded-words.ts";
import { dateText, oneLine } from "../../content/mime/header-field.ts";
import { fieldsIn, hasLongLine, takenApart, valueIn } from "../../content/mime/message-bytes.ts";
import { isIdempotencyKey } from "../../http/idempotency.ts";
import { newId } from "../../base/ids.ts";
import { SmtpReply } from "../../ground/smtp-listener/smtp-reply.ts";
import { fingerprintOf } from "./fingerprint.ts";

/**
 * The identity of a repeated message. `fingerprint`: a digest of the message. The same key with another one is refused;
 * the same Message-ID with another one is another message.
 */
export type Idempotency = {
  readonly kind: "key" | "message-id";
  readonly value: string;
  readonly fingerprint: string;
};

export type SmtpSubmission = {
  readonly from: Mailbox;
  /** The domain in the field Sender, which readers are shown beside From; null = none. */
  readonly senderDomain: string | null;
  readonly subject: string;
  /** The fields To and Cc as they are written; "" = none. */
  readonly to: string;
  readonly cc: string;
  readonly replyTo: string | null;
  readonly labels: Labels;
  /** With its brackets. */
  readonly messageId: string;
  /** The identity by which a repeated message is recognised; null = none. */
  readonly idempotency: Idempotency | null;
  /** As it leaves, except for our signature. */
  readonly bytes: Buffer;
};

const TAG = "x-tag";
const METADATA = "x-metadata-";
/** Bcc would reveal recipients; the others belong to the receiving server, or to us, who sign. */
const TAKEN_OFF = new Set(["bcc", "return-path", "dkim-signature", "idempotency-key", TAG]);
/**
 * Fields that distinguish two messages of one Message-ID. Received and Date do not: a program that retries may write
 * new ones.
 */
const TELLING = ["sender", "reply-to", "to", "cc", "in-reply-to", "references"];
/** RFC 5322 §3.6.4: any other form is not recognised elsewhere, and counts as none. */
const MESSAGE_ID = /^<([^\s<>@"]+|"[^"<>]+")@([^\s<>@[\]]+|\[[^\s<>[\]]+\])>$/;
/** RFC 5322 §3.6. With two of them, readers would disagree on which one counts. */
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

/** @throws SmtpReply if it cannot leave in this form */
export function readSubmitted(raw: Buffer, nowMs: number): SmtpSubmission {
  const message = readMessage(raw);
  const { fields } = message;
  refuse(fields);
  const from = oneMailbox(fieldValue(fields, "from"));
  // One mailbox, since its domain decides whether the message may leave.
  if (!from) throw faulty("The From field is required and must have one address");
  const given = givenMessageId(fields);
  const messageId = given ?? messageIdFor(newId(nowMs), from.address);
  const subject = oneLine(decodedWords(fieldValue(fields, "subject"))).slice(0, LONGEST_SUBJECT_CHARS);
  return {
    from,
    senderDomain: senderDomainOf(fields),
    subject,
    messageId,
    to: fieldValue(fields, "to"),
    cc: fieldValue(fields, "cc"),
    replyTo: oneMailbox(fieldValue(fields, "reply-to"))?.address ?? null,
    labels: labelsIn(fields),
    idempotency: idempotencyOf(message, { from: from.address, subject }),
    bytes: withAdded(raw, message, {
      ...(given === null ? { "message-id": `Message-ID: ${messageId}` } : {}),
      ...(fieldValue(fields, "date") === "" ? { date: `Date: ${dateText(nowMs)}` } : {}),
    }),
  };
}

/** @throws SmtpReply if the field is there without one address */
function senderDomainOf(fields: readonly SubmissionField[]): string | null {
  const value = fieldValue(fields, "sender");
  if (value === "") return null;
  const sender = oneMailbox(value);
  if (!sender) throw faulty("The Sender field must have one address");
  return domainOf(sender.address);
}

/**
 * Keys in lower case: programs choose the case of field names.
 * @throws SmtpReply for an invalid label
 */
function labelsIn(fields: readonly SubmissionField[]): Labels {
  const fieldText = ({ raw }: SubmissionField) => oneLine(decodedWords(valueIn(raw))).trim();
  const written = fields.filter(({ name }) => name === TAG).flatMap((field) => fieldText(field).split(/\s*,\s*/));
  // A program that joins a list may write an empty tag, or a comma at the end.
  const tags = written.filter((tag) => tag !== "");
  const wrong = tags.find((tag) => !isTag(tag));
  if (wrong !== undefined) throw faulty(`X-Tag: "${wrong.slice(0, 100)}" is no tag`);
  if (tags.length > MOST_TAGS) throw faulty(`X-Tag: at most ${MOST_TAGS} tags are allowed`);
  const keyed = fields.filter(({ name }) => name.startsWith(METADATA));
  const metadata = Object.fromEntries(keyed.map((field) => [field.name.slice(METADATA.length), fieldText(field)]));
  if (Object.values(metadata).some((value) => value.length > LONGEST_VALUE))
    throw faulty(`X-Metadata: a value has at most ${LONGEST_VALUE} characters`);
  return readLabels({ tags, metadata });
}

/** Null without a Message-ID that others recognise. */
function givenMessageId(fields: readonly SubmissionField[]): string | null {
  const value = fieldValue(fields, "message-id");
  return MESSAGE_ID.test(value) ? value : null;
}

/** The message without the removed fields, with the missing fields in front. */
function withAdded(raw: Buffer, { fields, body }: Message, lacking: Readonly<Record<string, string>>): Buffer {
  const added = Object.entries(lacking).map(([name, line]) => ({ name, raw: `${line}\r\n` }));
  const kept = fields.filter(
    ({ name }) => !TAKEN_OFF.has(name) && !name.startsWith(METADATA) && !isOfCarriers(name) && !(name in lacking),
  );
  // An address that only SMTPUTF8 can carry stays until the next hop is known.
  const written = kept.map((field) => (needsUtf8(field.raw) ? field : { ...field, raw: asciiField(field.raw) }));
  const isWhole = added.length === 0 && written.length === fields.length;
  // Avoids a needless copy of a large message.
  if (isWhole && written.every((field, at) => field.raw === fields[at]?.raw)) return raw;
  return messageOf([...added, ...written], body);
}

function refuse(fields: readonly SubmissionField[]): void {
  const names = fields.map(({ name }) => name);
  for (const name of ONCE) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw faulty(`The ${name} field may appear only once`);
  }
  // These fields could redirect a mail's bounces.
  if (names.some((name) => name.startsWith("x-ses-")))
    throw faulty("Header fields that begin with X-SES- are not accepted");
}

/** "" if there is no such field. */
function fieldValue(fields: readonly SubmissionField[], name: string): string {
  const found = fields.find((field) => field.name === name);
  return found ? valueIn(found.raw) : "";
}

/**
 * Its Idempotency-Key, else its Message-ID with the content, because devices write one id into all their messages. A
 * message without an id of its own cannot be told from an equal one.
 * @throws SmtpReply if the key is invalid
 */
function idempotencyOf(
  { fields, body }: Message,
  { from, subject }: { from: string; subject: string },
): Idempotency | null {
  const key = fieldValue(fields, "idempotency-key");
  const contentType = fieldValue(fields, "content-type");
  const encoding = fieldValue(fields, "content-transfer-encoding").toLowerCase();
  const said = { from, subject, contentType, encoding, body };
  if (fields.some(({ name }) => name === "idempotency-key")) {
    if (!isIdempotencyKey(key)) throw faulty("The Idempotency-Key must be 1 to 255 printable ASCII characters");
    return { kind: "key", value: key, fingerprint: fingerprintOf(said) };
  }
  const messageId = givenMessageId(fields);
  if (messageId === null) return null;
  const others = TELLING.map((name) => fieldValue(fields, name));
  return { kind: "message-id", value: messageId, fingerprint: fingerprintOf({ ...said, others }) };
}

/** `name` in lower case; `raw` is the whole field in latin1, folded as it came, with its CRLF. */
export type SubmissionField = { readonly name: string; readonly raw: string };
export type Message = { readonly fields: readonly SubmissionField[]; readonly body: Buffer };

const LARGEST_HEADER_BYTES = 128 * 1024;
const FIELD = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:/;

/** @throws SmtpReply for an invalid header. `raw` has CRLF line ends. */
function readMessage(raw: Buffer): Message {
  const { header, body } = takenApart(raw);
  if (header === "") throw faulty("The message begins with an empty line, so it has no header");
  if (header.length > LARGEST_HEADER_BYTES) throw new SmtpReply(552, "5.3.4", "The header is larger than 128 KB");
  if (hasLongLine(raw.subarray(0, header.length))) throw faulty("A line of the header is longer than 998 bytes");
  return { fields: fieldsIn(header).map(fieldOf), body };
}

/** Joins the fields and the body. */
export function messageOf(fields: readonly SubmissionField[], body: Buffer): Buffer {
  const header = fields.map(({ raw }) => raw).join("");
  return Buffer.concat([Buffer.from(`${header}\r\n`, "latin1"), body]);
}

export function faulty(text: string): SmtpReply {
  return new SmtpReply(550, "5.6.0", text);
}

function fieldOf(line: string, index: number): SubmissionField {
  const name = FIELD.exec(line)?.[1]?.toLowerCase();
  if (name === undefined) throw faulty(`Header field ${index + 1} is invalid: it needs a name and a colon`);
  return { name, raw: `${line}\r\n` };
}

/**
 * The one mailbox of a field (RFC 5322 §3.4), its name before the address or, as in `ada@example.test (Ada)`, in a
 * comment after it; null if it is anything else. A name that cannot be shown is left out.
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
