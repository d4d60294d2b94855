// One field of a mail's header: ASCII, folded, and for any value never more than one field.
import { buildHeaderValue, encodeWord } from "nodemailer/lib/mime-funcs";
import type { Mailbox } from "../../base/addresses.ts";

// RFC 5322 §2.1.1 recommends 78; RFC 2047 §2 requires 76 on lines with encoded words.
const LINE_CHARS = 76;
const ENCODED_WORD_CHARS = 64;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
// A word stays with the spaces before it, and no line may have more than 998 characters (RFC 5322 §2.1.1).
const UNFOLDABLE = /[^ ]{998}| {2}[^ ]{900}| {90}/;

/** Subject and other text fields: the reader sees the given text, with line breaks and control characters as spaces. */
export function textField(name: string, value: string): string {
  const text = oneLine(value);
  return field(name, isPlain(text) && !text.includes("=?") ? text : encodedWords(text));
}

/** A field set by a caller: ASCII stays as it is, since it may be structured or encoded already. */
export function customField(name: string, value: string): string {
  const text = oneLine(value);
  return field(name, isPlain(text) ? text : encodedWords(text));
}

/** From, To and other address fields (RFC 5322 §3.4); `utf8`: addresses may be beyond ASCII (RFC 6532). */
export function mailboxField(name: string, mailboxes: readonly Mailbox[], utf8 = false): string {
  const text = mailboxes.map((mailbox) => mailboxText(mailbox, utf8)).join(", ");
  return utf8 ? folded(name, oneLine(text)) : field(name, text);
}

/** The value of Date (RFC 5322 §3.3). */
export function dateText(ms: number): string {
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}

/** `name: value` folded before spaces, with its CRLF. Characters other than printable ASCII become spaces. */
export function field(name: string, value: string): string {
  return folded(name, PRINTABLE_ASCII.test(value) ? value : value.replace(/[^\x20-\x7e]+/g, " "));
}

function folded(name: string, value: string): string {
  const text = value.trim();
  if (text !== "" && name.length + 2 + text.length <= LINE_CHARS) return `${name}: ${text}\r\n`;
  let lines = "";
  let line = `${name}:`;
  for (const word of ` ${text}`.match(/ +[^ ]+/g) ?? []) {
    if (line.length + word.length > LINE_CHARS) {
      lines += `${line}\r\n`;
      line = "";
    }
    line += word;
  }
  return `${lines}${line}\r\n`;
}

/** A value with parameters; long or foreign ones are encoded by RFC 2231: `attachment; filename*0*=utf-8''…`. */
export function parameters(value: string, params: Readonly<Record<string, string>>): string {
  return buildHeaderValue({ value, params: { ...params } });
}

/** RFC 2047 encoded words: quoted-printable if most of the text stays legible, else base64. */
export function encodedWords(text: string): string {
  if (text === "") return "";
  const foreignChars = text.replace(/[\x20-\x7e]+/g, "").length;
  return encodeWord(text, foreignChars * 2 > text.length ? "B" : "Q", ENCODED_WORD_CHARS);
}

export function quotedString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The text on one line, without line breaks, control characters and lone surrogates. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}

/** True if text on one line can be in a header without being encoded. */
export function isPlain(text: string): boolean {
  return PRINTABLE_ASCII.test(text) && !UNFOLDABLE.test(text);
}

/** A mailbox in a field: in ASCII, except an address with `utf8`. */
export function mailboxText({ address, name }: Mailbox, utf8 = false): string {
  const shown = oneLine(name ?? "");
  // Not every relay takes a local part beyond ASCII in a header. RFC 6857 writes such an address as the name of an
  // empty group; the envelope has the address itself.
  if (!utf8 && !PRINTABLE_ASCII.test(address)) return `${encodedWords(`${shown} <${oneLine(address)}>`.trim())}:;`;
  if (shown !== "") return `${phrase(shown)} <${address}>`;
  return address.startsWith('"') ? `<${address}>` : address;
}

function phrase(name: string): string {
  const quoted = quotedString(name);
  if (!isPlain(quoted) || name.includes("=?")) return encodedWords(name);
  return /^\w+(?: \w+)*$/.test(name) ? name : quoted;
}
