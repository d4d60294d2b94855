// A message as programs hand it to sendmail, made fit for submission: line ends, header, sender, recipients.
import addressparser from "nodemailer/lib/addressparser";
import { domainOf, parseAddress } from "../../../base/addresses.ts";
import { mailboxField } from "../../../content/mime/header-field.ts";
import { fieldsIn, takenApart, valueIn } from "../../../content/mime/message-bytes.ts";
import type { SendmailWords } from "./words.ts";

export type SendmailMessage = { readonly to: readonly string[]; readonly message: Buffer };

/** The message or its addresses cannot be used. */
export class LetterError extends Error {
  override readonly name = "LetterError";
}

export type SendmailOptions = {
  /** For a message whose sender has no domain, such as root. */
  readonly from: string | undefined;
  /** Recipient of mail for a user of this machine. */
  readonly localTo: string | undefined;
  readonly newId: string;
};

/** Header fields with their folds, from the first character. */
const FIELDS = /^(?:[!-9;-~]+[ \t]*:.*(?:\n[ \t].*)*\n)*/;

/** @throws LetterError */
export function letterFrom(input: Uint8Array, words: SendmailWords, around: SendmailOptions): SendmailMessage {
  const { header, body } = takenApart(withHeader(unixLines(input, words.ignoresDots)));
  const fields = fieldsIn(header);
  const named = words.readsRecipients ? fields.filter((field) => /^(to|cc|bcc)\s*:/i.test(field)) : [];
  const asked = [...words.recipients, ...named.map(fieldText)].flatMap((text) => headerAddresses(text));
  if (asked.length === 0) throw new LetterError("The message has no recipients: name them, or use -t.");
  const to = new Set(asked.map((address) => recipient(address, around)));
  const sender = senderIn(fields, words, around);
  const made = fields.some((field) => /^message-id\s*:/i.test(field))
    ? []
    : [`Message-ID: <${around.newId}@${domainOf(sender.address)}>`];
  const kept = fields.filter((field) => !(sender.isNew && /^(from|sender)\s*:/i.test(field)));
  const added = sender.isNew ? [mailboxField("From", [sender]).trimEnd()] : [];
  const whole = [...added, ...kept, ...made].map((field) => `${field}\r\n`).join("");
  return { to: [...to], message: Buffer.concat([Buffer.from(`${whole}\r\n`, "latin1"), body]) };
}

/** With the line ends of SMTP, up to a line with a single dot unless those are ignored. */
function unixLines(input: Uint8Array, ignoresDots: boolean): string {
  const text = Buffer.from(input)
    .toString("latin1")
    .replace(/\r\n?|\n/g, "\n")
    // The first line of a mailbox file.
    .replace(/^(>?From .*\n)+/, "");
  const end = ignoresDots ? -1 : `\n${text}`.search(/\n\.(\n|$)/);
  return end === -1 ? text : text.slice(0, end);
}

/** Scripts forget the empty line: the first line that is not a field begins the body. */
function withHeader(text: string): Buffer {
  const lines = text.endsWith("\n") ? text : `${text}\n`;
  const end = FIELDS.exec(lines)?.[0].length ?? 0;
  const isClosed = lines[end] === "\n";
  const whole = isClosed ? lines : `${lines.slice(0, end)}\n${lines.slice(end)}`;
  return Buffer.from(whole.replaceAll("\n", "\r\n"), "latin1");
}

function fieldText(field: string): string {
  return Buffer.from(valueIn(field), "latin1").toString();
}

function headerAddresses(text: string): string[] {
  return addressparser(text, { flatten: true })
    .map(({ address, name }) => address || name)
    .filter((address) => address !== "");
}

/** @throws LetterError for an invalid address, and for a user of this machine without a mailbox */
function recipient(address: string, { localTo }: SendmailOptions): string {
  const isLocal = !address.includes("@") || /@(localhost|localhost\.localdomain)$/i.test(address);
  const parsed = parseAddress(isLocal ? (localTo ?? "") : address);
  if (parsed !== null) return parsed;
  if (!isLocal) throw new LetterError(`${address} is not an email address.`);
  throw new LetterError(
    `${address} is a user of this machine: set POSTHORN_LOCAL_TO to the address that reads for it.`,
  );
}

type SendmailSender = { readonly address: string; readonly name: string | null; readonly isNew: boolean };

/** The message's own, else that of -f, else POSTHORN_FROM. @throws LetterError */
function senderIn(fields: readonly string[], words: SendmailWords, { from }: SendmailOptions): SendmailSender {
  const written = fields.filter((field) => /^from\s*:/i.test(field)).map((field) => addressparser(fieldText(field))[0]);
  const address = parseAddress(written[0]?.address ?? "");
  if (address !== null && isWide(address)) return { address, name: null, isNew: false };
  const name = words.fullName ?? (written[0]?.name || null);
  for (const text of [words.from, from]) {
    const [found] = addressparser(text ?? "", { flatten: true });
    const parsed = parseAddress(found?.address ?? "");
    if (parsed !== null && isWide(parsed)) return { address: parsed, name: name ?? (found?.name || null), isNew: true };
  }
  throw new LetterError("The message has no sender with a domain: use -f, or set POSTHORN_FROM.");
}

function isWide(address: string): boolean {
  return domainOf(address).includes(".");
}
