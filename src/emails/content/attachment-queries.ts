// The SQL of the files that go with mails.
import type { Attachment } from "../../mime/attachment.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

const DESCRIBED = sql`filename, content_type as "contentType", disposition, content_id as "contentId"`;

export function insertAttachment(tx: Tx, content: number, position: number, attachment: Attachment): Promise<number> {
  return tx.run`
    insert into attachments (content, position, filename, content_type, disposition, content_id, bytes)
    values (${content}, ${position}, ${attachment.filename}, ${attachment.contentType}, ${attachment.disposition},
      ${attachment.contentId}, ${attachment.content})`;
}

export function attachmentsOf(reader: Reader, content: number): Promise<Attachment[]> {
  return reader.all<Attachment>`
    select ${DESCRIBED}, bytes as content from attachments where content = ${content} order by position`;
}

/** The size of all attachments. */
export async function attachmentBytes(reader: Reader, content: number): Promise<number> {
  const row = await reader.get<{ bytes: number }>`
    select cast(coalesce(sum(length(bytes)), 0) as bigint) as bytes from attachments where content = ${content}`;
  return row?.bytes ?? 0;
}

type DescribedAttachment = Omit<Attachment, "content"> & { readonly size: number };

/** As `attachmentsOf`, with their sizes instead of their bytes. */
export function attachedTo(reader: Reader, content: number): Promise<DescribedAttachment[]> {
  return reader.all<DescribedAttachment>`
    select ${DESCRIBED}, length(bytes) as size from attachments where content = ${content} order by position`;
}

export async function attachmentAt(reader: Reader, content: number, position: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ bytes: Uint8Array }>`
    select bytes from attachments where content = ${content} and position = ${position}`;
  return row?.bytes ?? null;
}
