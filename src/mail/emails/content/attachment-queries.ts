// The SQL of attachments.
import type { Attachment } from "../../../content/mime/attachment.ts";
import { sql, steadyList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

const DESCRIBED = sql`a.filename, a.content_type as "contentType", a.disposition, a.content_id as "contentId"`;
const STORED = sql`attachments a left join files f on f.seq = a.file`;
const BYTES = sql`coalesce(f.bytes, a.bytes)`;

/** `file`: the stored bytes, if several attachments share them. */
export type KeptAttachment = Attachment & { readonly file?: number | undefined };

const NO_BYTES = new Uint8Array();

export function insertAttachment(
  tx: Tx,
  content: number,
  position: number,
  attachment: KeptAttachment,
): Promise<number> {
  const { file = null } = attachment;
  const bytes = file === null ? attachment.content : NO_BYTES;
  return tx.run`
    insert into attachments (content, position, filename, content_type, disposition, content_id, bytes, file)
    values (${content}, ${position}, ${attachment.filename}, ${attachment.contentType}, ${attachment.disposition},
      ${attachment.contentId}, ${bytes}, ${file})`;
}

/** Stores bytes for several attachments; answers their number. */
export async function insertFile(tx: Tx, bytes: Uint8Array): Promise<number> {
  const row = await tx.get<{ seq: number }>`insert into files (bytes) values (${bytes}) returning seq`;
  return (row as { seq: number }).seq;
}

/** Deletes those of these files that no attachment uses. */
export function deleteUnusedFiles(tx: Tx, files: readonly number[]): Promise<number> {
  return tx.run`
    delete from files where seq in (${steadyList(files)})
      and not exists (select 1 from attachments where file = files.seq)`;
}

export function attachmentsOf(reader: Reader, content: number): Promise<Attachment[]> {
  return reader.all<Attachment>`
    select ${DESCRIBED}, ${BYTES} as content from ${STORED} where a.content = ${content} order by a.position`;
}

/** The total size of the attachments. */
export async function attachmentBytes(reader: Reader, content: number): Promise<number> {
  const row = await reader.get<{ bytes: number }>`
    select cast(coalesce(sum(length(${BYTES})), 0) as bigint) as bytes from ${STORED} where a.content = ${content}`;
  return row?.bytes ?? 0;
}

type DescribedAttachment = Omit<Attachment, "content"> & { readonly size: number };

/** As `attachmentsOf`, with sizes instead of bytes. */
export function attachedTo(reader: Reader, content: number): Promise<DescribedAttachment[]> {
  return reader.all<DescribedAttachment>`
    select ${DESCRIBED}, length(${BYTES}) as size from ${STORED} where a.content = ${content} order by a.position`;
}

export async function attachmentAt(reader: Reader, content: number, position: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ bytes: Uint8Array }>`
    select ${BYTES} as bytes from ${STORED} where a.content = ${content} and a.position = ${position}`;
  return row?.bytes ?? null;
}
