// The text of a message as its reader sees it: its texts, its header fields, its files.
import { fileFacts, MAX_FILES } from "./contents.ts";
import { headersOf, subjectOf, type HeaderField } from "./header-fields.ts";
import { parsed } from "./parsed.ts";
import type { AttachedFile } from "./reading.ts";

export type MessageText = {
  readonly subject: string;
  /** Null = the message has no such part. */
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: readonly HeaderField[];
  readonly files: readonly AttachedFile[];
};

/** Never throws: if the parser fails, only the header is known. */
export async function readText(raw: Buffer): Promise<MessageText> {
  const headers = headersOf(raw);
  const subject = subjectOf(headers);
  try {
    const { html, text, attachments } = await parsed(raw);
    const files = attachments.slice(0, MAX_FILES).map(fileFacts);
    return { subject, html: (html || "").trimEnd() || null, text: text?.trimEnd() || null, headers, files };
  } catch {
    return { subject, html: null, text: null, headers, files: [] };
  }
}
