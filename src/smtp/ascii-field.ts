// A header field with text beyond ASCII, written so that every server can carry it (RFC 2047): nobody further on has to know RFC 6532.
import { parseMailbox } from "../addresses.ts";
import { encodedWords, field, mailboxText } from "../emails/header-field.ts";
import { valueOf, type Field } from "./message-header.ts";

const MAILBOXES = /^(resent-)?(from|sender|reply-to|to|cc)$/;
const NON_ASCII = /[^\x00-\x7f]/;
const MAILBOX = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;

export function asciiField(given: Field): Field {
  if (!NON_ASCII.test(given.raw)) return given;
  const name = given.raw.slice(0, given.raw.indexOf(":")).trim();
  const value = valueOf(given);
  if (MAILBOXES.test(given.name)) return { ...given, raw: field(name, mailboxes(value)) };
  if (given.name.startsWith("content-")) return { ...given, raw: parameters(given.raw) };
  return { ...given, raw: field(name, value.replace(FOREIGN_WORDS, encodedWords)) };
}

/** Words that are not ASCII, with the spaces between them: between encoded words spaces are lost. */
const FOREIGN_WORDS = /[^\s]*[^\x00-\x7f][^\s]*(?:\s+[^\s]*[^\x00-\x7f][^\s]*)*/g;

function mailboxes(value: string): string {
  const parts = value.match(MAILBOX) ?? [];
  return parts
    .map((part) => part.trim())
    .map((part) => (NON_ASCII.test(part) ? mailbox(part) : part))
    .join(", ");
}

function mailbox(text: string): string {
  const parsed = parseMailbox(text);
  return parsed ? mailboxText(parsed) : text.replace(FOREIGN_WORDS, encodedWords);
}

/** Names of files: readers understand encoded words in their place. */
function parameters(raw: string): string {
  return raw.replace(/[^\x00-\x7f]+/g, (bytes) => `=?utf-8?B?${Buffer.from(bytes, "latin1").toString("base64")}?=`);
}
