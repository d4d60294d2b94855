// Composes a mail as bytes: the whole message as it goes over the wire (RFC 5322, MIME), not yet signed.
import { parseMailbox, type Mailbox } from "../../base/addresses.ts";
import { attachmentPart, isEmbedded, type Attachment } from "./attachment.ts";
import { nameProblem } from "./custom-headers.ts";
import { customField, dateText, field, mailboxField, textField } from "./header-field.ts";
import { multipart, textPart } from "./mime-part.ts";

export type { Attachment } from "./attachment.ts";

/** One message to several recipients, all named in its header. Its id determines the boundaries. */
export type LetterToGroup = { readonly id: string; readonly to: readonly Mailbox[]; readonly cc: readonly Mailbox[] };

export type MimeLetter = {
  /** Public id of the email record; it determines the boundaries, so that the same letter gives the same bytes. */
  readonly id: string;
  /** `<id@sender domain>` with brackets. */
  readonly messageId: string;
  readonly dateMs: number;
  readonly from: Mailbox;
  readonly to: Mailbox;
  /** Null = the message goes only to `to`. */
  readonly group?: LetterToGroup | null;
  /** An address, or `Name <address>`. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  /** "" = no text part. */
  readonly text: string;
  /** Custom headers without a `nameProblem`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
};

/**
 * Composes the message: CRLF line ends, ASCII only, no line over 998 octets. Addresses are not parsed or changed; with
 * `utf8` they may be beyond ASCII (RFC 6532). Throws if a custom header has a reserved name.
 */
export async function compose(letter: MimeLetter, { utf8 = false } = {}): Promise<Buffer> {
  return withEntity(letter, entityOf(letter), utf8);
}

/** The input of an entity. */
export type Substance = Pick<MimeLetter, "id" | "group" | "html" | "text" | "attachments">;

type Header = Omit<MimeLetter, Exclude<keyof Substance, "group">>;

/** The MIME entity of a message: its last header fields, and its body. */
export function entityOf(letter: Substance): Buffer {
  const content = mimeContent({ ...letter, id: letter.group?.id ?? letter.id });
  const end = content.endsWith("\r\n") ? "" : "\r\n";
  return Buffer.from(`MIME-Version: 1.0\r\n${content}${end}`, "latin1");
}

/** Completes the message of an existing entity, with the same result as `compose`. */
export function withEntity(letter: Header, entity: Buffer, utf8 = false): Buffer {
  return Buffer.concat([Buffer.from(headerOf(letter, utf8)), entity]);
}

function headerOf(letter: Header, utf8: boolean): string {
  const replyTo = letter.replyTo === null ? "" : mailboxField("Reply-To", [replyMailbox(letter.replyTo)], utf8);
  return [
    mailboxField("From", [letter.from], utf8),
    ...recipientFields(letter, utf8),
    replyTo,
    textField("Subject", letter.subject),
    field("Message-ID", letter.messageId),
    field("Date", dateText(letter.dateMs)),
    ...customFields(letter),
  ].join("");
}

/** A message whose recipients are all hidden has a To field that says so. */
function recipientFields({ to, group }: Header, utf8: boolean): string[] {
  if (!group) return [mailboxField("To", [to], utf8)];
  if (group.to.length + group.cc.length === 0) return [field("To", "undisclosed-recipients:;")];
  const fields = [["To", group.to] as const, ["Cc", group.cc] as const];
  return fields.map(([name, mailboxes]) => (mailboxes.length === 0 ? "" : mailboxField(name, mailboxes, utf8)));
}

function replyMailbox(text: string): Mailbox {
  return parseMailbox(text) ?? { address: text, name: null };
}

function customFields({ headers, replyTo }: Pick<MimeLetter, "headers" | "replyTo">): string[] {
  const wanted = Object.entries(headers).filter(([name, value]) => {
    const problem = nameProblem(name);
    if (problem !== null) throw new Error(`header ${JSON.stringify(name)} ${problem}`);
    // RFC 5322 §3.6 forbids two Reply-To fields.
    return value.trim() !== "" && (replyTo === null || name.toLowerCase() !== "reply-to");
  });
  return wanted.map(([name, value]) => customField(name, value));
}

/** The necessary parts of mixed( alternative( text, related( html, embedded images ) ), attachments ). */
function mimeContent(letter: Substance): string {
  const { id, attachments } = letter;
  const beside = attachments.filter((attachment) => letter.html === "" || !isEmbedded(attachment));
  const body = bodyOf(letter);
  return beside.length === 0
    ? body
    : multipart("multipart/mixed", `${id}-mixed`, [body, ...beside.map(attachmentPart)]);
}

function bodyOf(letter: Substance): string {
  if (letter.html === "") return textPart("plain", letter.text);
  const html = htmlOf(letter);
  if (letter.text === "") return html;
  return multipart("multipart/alternative", `${letter.id}-alternative`, [textPart("plain", letter.text), html]);
}

function htmlOf({ id, html, attachments }: Substance): string {
  const part = textPart("html", html);
  const embedded = attachments.filter(isEmbedded).map(attachmentPart);
  if (embedded.length === 0) return part;
  return multipart('multipart/related; type="text/html"', `${id}-related`, [part, ...embedded]);
}
