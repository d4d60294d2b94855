// The contents of a message, in any form; and one of the files attached to it.
import type { AddressObject, Attachment, ParsedMail } from "mailparser";
import { isDisplayName, parseAddress, type Mailbox } from "../../../base/addresses.ts";
import { decodedWords } from "../../../content/mime/encoded-words.ts";
import { plainText } from "../../../content/mime/plain-text/plain-text.ts";
import { headersOf, subjectOf } from "./header-fields.ts";
import { authorsOf, firstAuthorOf } from "./header.ts";
import { isAutomatic, parsed } from "./parsed.ts";
import { UNREADABLE, type AttachedFile, type MessageContents } from "./reading.ts";

/** The limit of an event's body; the message has the whole. */
const MAX_BODY_CHARS = 128 * 1024;
const MAX_TEXT_CHARS = 64 * 1024;
/** The text's share of the body. */
const TEXT_SHARE = 1 / 4;
/** A long thread keeps its first and its latest references. */
const MAX_REFERENCES = 50;
/** Bytes of JSON: each recipient has its own event, and all are written together. */
const MAX_EVENT_BYTES = 256 * 1024;
const MAX_BYTES_OF_ALL_EVENTS = 1024 * 1024;
const MAX_HEADER_CHARS = 998;
/** In To, and in Cc. */
const MAX_ADDRESSED = 50;
export const MAX_FILES = 1_000;
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;
const MESSAGE_ID = /^<[^<>\s]{1,990}>$/;
const MESSAGE_IDS = /<[^<>\s]{1,990}>/g;

/**
 * The body is cut so that each of `recipients` can have an event with it. Never throws: if the parser fails (more than
 * a thousand parts, for example), only the sender is known, to whom the verdicts refer.
 */
export async function readContents(raw: Buffer, recipients = 1): Promise<MessageContents> {
  const bodyBytes = Math.min(MAX_EVENT_BYTES, Math.floor(MAX_BYTES_OF_ALL_EVENTS / recipients));
  const authors = authorsOf(raw);
  try {
    return contentsOf(raw, await parsed(raw), authors, bodyBytes);
  } catch {
    return { ...UNREADABLE, sender: senderOf(raw, authors) };
  }
}

/** The file at this place, counted from 0; null if none. */
export async function fileAt(raw: Buffer, place: number): Promise<Uint8Array | null> {
  const { attachments } = await parsed(raw);
  const content = attachments[place]?.content;
  return content === undefined ? null : new Uint8Array(content);
}

type Authors = ReturnType<typeof authorsOf>;

function contentsOf(raw: Buffer, mail: ParsedMail, authors: Authors, bodyBytes: number): MessageContents {
  const messageId = mail.messageId?.trim() ?? "";
  return {
    sender: senderOf(raw, authors),
    fromHeader: fromHeaderOf(raw),
    replyTo: onlyMailbox(mail.replyTo)?.address ?? null,
    addressed: { to: headerAddresses(mail.to), cc: headerAddresses(mail.cc) },
    subject: oneLine(subjectOf(headersOf(raw))),
    messageId: MESSAGE_ID.test(messageId) ? oneLine(messageId) : null,
    references: referencesOf(mail),
    inReplyTo: idsIn(mail.inReplyTo)[0] ?? null,
    body: withinJson(storable(mail.html || mail.text || "", MAX_BODY_CHARS), bodyBytes),
    text: withinJson(storable(parsedText(mail), MAX_TEXT_CHARS), Math.floor(bodyBytes * TEXT_SHARE)),
    files: mail.attachments.slice(0, MAX_FILES).map(fileFacts),
    isAutomatic: isAutomatic(mail),
  };
}

/** mailparser makes no text of HTML. */
function parsedText({ text, html }: ParsedMail): string {
  return text?.trim() ? text : plainText(html || "");
}

function referencesOf({ references = [] }: ParsedMail): readonly string[] {
  const [first, ...others] = [references].flat().flatMap(idsIn);
  return first === undefined ? [] : [first, ...others.slice(1 - MAX_REFERENCES)];
}

function idsIn(field: string | undefined): readonly string[] {
  return field?.match(MESSAGE_IDS)?.map((id) => oneLine(id)) ?? [];
}

/** The first author, to whose address the verdicts refer. */
function senderOf(raw: Buffer, [address = null]: Authors): Mailbox | null {
  if (address === null) return null;
  const first = firstAuthorOf(raw);
  return { address, name: parseAddress(first.address) === address ? displayName(first.name) : null };
}

function onlyMailbox(field: AddressObject | undefined): Mailbox | null {
  const [only, ...others] = field?.value ?? [];
  const address = parseAddress(only?.address ?? "");
  if (address === null || others.length > 0) return null;
  return { address, name: displayName(only?.name ?? "") };
}

/** Includes the members of groups (RFC 5322 §3.4). */
function headerAddresses(field: AddressObject | AddressObject[] | undefined): readonly string[] {
  const named = [field ?? []].flat().flatMap(({ value }) => value);
  const all = named.flatMap(({ address, group = [] }) => [address, ...group.map((one) => one.address)]);
  return [...new Set(all.flatMap((address) => parseAddress(address ?? "") ?? []))].slice(0, MAX_ADDRESSED);
}

function displayName(text: string): string | null {
  const name = oneLine(text).trim();
  return name !== "" && isDisplayName(name) ? name : null;
}

/** Unchanged if it is readable; else decoded. */
function fromHeaderOf(raw: Buffer): string {
  return oneLine(decodedWords(firstAuthorOf(raw).field)).trim();
}

export function fileFacts({ filename, contentType, contentDisposition, cid, content }: Attachment): AttachedFile {
  return {
    filename: filename ? oneLine(filename, 255) : null,
    contentType: MEDIA_TYPE.test(contentType) ? contentType : "application/octet-stream",
    disposition: contentDisposition === "inline" ? "inline" : "attachment",
    contentId: cid ? oneLine(cid) : null,
    size: content.length,
  };
}

/** On one line, as in a header. */
function oneLine(text: string, most = MAX_HEADER_CHARS): string {
  return storable(text.replace(/[\0-\x1f\x7f]+/g, " "), most);
}

/** Without NULs and half characters: not every store keeps them. */
function storable(text: string, most: number): string {
  return text.slice(0, most).replaceAll("\0", "").toWellFormed();
}

/** The beginning of the text, whose JSON fits into `most` bytes. */
function withinJson(text: string, most: number): string {
  if (Buffer.byteLength(JSON.stringify(text)) <= most) return text;
  let bytes = 0;
  let end = 0;
  for (const sign of text) {
    bytes += Buffer.byteLength(JSON.stringify(sign)) - '""'.length;
    if (bytes > most) return text.slice(0, end);
    end += sign.length;
  }
  return text;
}
