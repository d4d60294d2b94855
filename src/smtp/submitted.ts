// A message that was handed in, as the door needs to know it: who it is from, what it is about, and what is taken off and put on.
import { domainOf, isDisplayName, parseMailbox, type Mailbox } from "../addresses.ts";
import { oneLine } from "../emails/header-field.ts";
import { newId } from "../ids.ts";
import { asciiField } from "./ascii-field.ts";
import { decodedWords } from "./encoded-words.ts";
import { faulty, messageOf, readMessage, valueOf, type Field } from "./message-header.ts";

export type Submitted = {
  readonly from: Mailbox;
  readonly subject: string;
  readonly replyTo: string | null;
  /** With its brackets. */
  readonly messageId: string;
  /** Whether the message came with it. */
  readonly isNamed: boolean;
  readonly idempotencyKey: string | null;
  /** As it leaves, but for our signature. */
  readonly bytes: Buffer;
};

/** Bcc would tell; the others are for whoever takes the message, and we are the one who signs. */
const TAKEN_OFF = new Set(["bcc", "return-path", "dkim-signature", "idempotency-key"]);
/** RFC 5322 §3.6. Two of them, and readers would disagree on which one counts. */
const ONCE = [
  ...["from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id"],
  ...["mime-version", "content-type", "content-transfer-encoding"],
];
const LONGEST_SUBJECT_CHARS = 998;

/** @throws SmtpReply if it cannot leave as it is */
export function readSubmitted(raw: Buffer, nowMs: number): Submitted {
  const { fields, body } = readMessage(raw);
  refuse(fields);
  const value = (name: string) => firstValue(fields, name);
  const from = fromOf(value("from"));
  const given = value("message-id");
  const messageId = given || `<${newId(nowMs)}@${domainOf(from.address)}>`;
  const added = [...(given ? [] : [`Message-ID: ${messageId}`]), ...(value("date") ? [] : [`Date: ${dateOf(nowMs)}`])];
  const kept = fields.filter(
    ({ name }) => !TAKEN_OFF.has(name) && !isEmptyAndAdded(name, { given, date: value("date") }),
  );
  const written = kept.map(asciiField);
  // A large message is not copied for nothing.
  const isWhole =
    added.length === 0 && written.length === fields.length && written.every((one, at) => one === fields[at]);
  return {
    from,
    subject: oneLine(decodedWords(value("subject") ?? "")).slice(0, LONGEST_SUBJECT_CHARS),
    replyTo: parseMailbox(value("reply-to") ?? "")?.address ?? null,
    messageId,
    isNamed: given !== null && given !== "",
    idempotencyKey: keyOf(value("idempotency-key")),
    bytes: isWhole ? raw : messageOf([...added.map(asField), ...written], body),
  };
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

function firstValue(fields: readonly Field[], name: string): string | null {
  const found = fields.find((field) => field.name === name);
  return found ? valueOf(found) : null;
}

/** One mailbox, since its domain decides whether the message may leave. */
function fromOf(value: string | null): Mailbox {
  const mailbox = value === null ? null : parseMailbox(value);
  if (!mailbox) throw faulty("The field From must be there, with one address");
  const name = decodedWords(mailbox.name ?? "");
  return { address: mailbox.address, name: name !== "" && isDisplayName(name) ? name : null };
}

/** 1 to 255 printable ASCII characters, as over HTTP. */
function keyOf(value: string | null): string | null {
  if (value === null || /^[\x20-\x7e]{1,255}$/.test(value)) return value;
  throw faulty("The Idempotency-Key must be 1 to 255 printable ASCII characters");
}

function isEmptyAndAdded(name: string, { given, date }: { given: string | null; date: string | null }): boolean {
  return (name === "message-id" && !given) || (name === "date" && !date);
}

function asField(line: string): Field {
  return { name: line.slice(0, line.indexOf(":")).toLowerCase(), raw: `${line}\r\n` };
}

function dateOf(ms: number): string {
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}
