// The SQL of what is attached to mails.
import type { Reader, Tx } from "../store/store.ts";

export type AttachmentRow = {
  readonly filename: string;
  readonly content_type: string | null;
  readonly disposition: "attachment" | "inline";
  readonly content_id: string | null;
  readonly bytes: Uint8Array;
};

export function insertAttachment(
  tx: Tx,
  content: number,
  position: number,
  attachment: AttachmentRow,
): Promise<number> {
  return tx.run`
    insert into attachments (content, position, filename, content_type, disposition, content_id, bytes)
    values (${content}, ${position}, ${attachment.filename}, ${attachment.content_type}, ${attachment.disposition},
      ${attachment.content_id}, ${attachment.bytes})`;
}

export function attachmentsOf(reader: Reader, content: number): Promise<AttachmentRow[]> {
  return reader.all<AttachmentRow>`
    select filename, content_type, disposition, content_id, bytes from attachments where content = ${content} order by position`;
}

/** Of all that is attached. */
export async function attachmentBytes(reader: Reader, content: number): Promise<number> {
  const row = await reader.get<{ bytes: number }>`
    select cast(coalesce(sum(length(bytes)), 0) as bigint) as bytes from attachments where content = ${content}`;
  return row?.bytes ?? 0;
}

type AttachedRow = Omit<AttachmentRow, "bytes"> & { readonly size: number };

/** As `attachmentsOf`, with their sizes instead of their bytes. */
export function attachedTo(reader: Reader, content: number): Promise<AttachedRow[]> {
  return reader.all<AttachedRow>`
    select filename, content_type, disposition, content_id, length(bytes) as size from attachments
    where content = ${content} order by position`;
}

export async function attachmentAt(reader: Reader, content: number, position: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ bytes: Uint8Array }>`
    select bytes from attachments where content = ${content} and position = ${position}`;
  return row?.bytes ?? null;
}
