// What a reader of a message sees: its texts, its header fields, its files.
import { decodedWords } from "../../emails/mime/encoded-words.ts";
import { fieldsIn, takenApart, valueIn } from "../../emails/mime/message-bytes.ts";
import { fileFacts, MAX_FILES } from "./contents.ts";
import { parsed } from "./parsed.ts";
import type { AttachedFile } from "./reading.ts";

export type HeaderField = { readonly name: string; readonly value: string };

export type MessageText = {
  readonly subject: string;
  /** Null = the message has no such part. */
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: readonly HeaderField[];
  readonly files: readonly AttachedFile[];
};

const MAX_FIELDS = 500;
const MAX_FIELD_CHARS = 10_000;

/** Never throws: of what the parser gives up nothing is known but the header. */
export async function readText(raw: Buffer): Promise<MessageText> {
  const headers = headersOf(raw);
  const subject = headers.find(({ name }) => name.toLowerCase() === "subject")?.value ?? "";
  try {
    const { html, text, attachments } = await parsed(raw);
    const files = attachments.slice(0, MAX_FILES).map(fileFacts);
    return { subject, html: (html || "").trimEnd() || null, text: text?.trimEnd() || null, headers, files };
  } catch {
    return { subject, html: null, text: null, headers, files: [] };
  }
}

/** In their order, on one line each, with encoded words as text. */
export function headersOf(raw: Buffer): HeaderField[] {
  const fields = fieldsIn(takenApart(raw).header).slice(0, MAX_FIELDS);
  return fields.map((field) => ({
    name: field.slice(0, Math.max(0, field.indexOf(":"))).trim(),
    value: decodedWords(valueIn(field).slice(0, MAX_FIELD_CHARS)).toWellFormed(),
  }));
}
