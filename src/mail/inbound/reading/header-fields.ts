// The header fields of a message as its reader sees them. Without the parser, which belongs to the reading thread.
import { decodedWords } from "../../../content/mime/encoded-words.ts";
import { fieldsIn, takenApart, valueIn } from "../../../content/mime/message-bytes.ts";

export type HeaderField = { readonly name: string; readonly value: string };

const MAX_FIELDS = 500;
const MAX_FIELD_CHARS = 10_000;

/** In order, on one line each, with encoded words as text. */
export function headersOf(raw: Buffer): HeaderField[] {
  const fields = fieldsIn(takenApart(raw).header).slice(0, MAX_FIELDS);
  return fields.map((field) => ({
    name: field.slice(0, Math.max(0, field.indexOf(":"))).trim(),
    value: decodedWords(valueIn(field).slice(0, MAX_FIELD_CHARS)).toWellFormed(),
  }));
}

export function subjectOf(headers: readonly HeaderField[]): string {
  return headers.find(({ name }) => name.toLowerCase() === "subject")?.value ?? "";
}
