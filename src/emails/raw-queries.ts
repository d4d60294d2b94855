// The SQL of messages that were handed in whole.
import { steadyList } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

/** What is bound to a statement at once, and read at once. */
const SLICE_BYTES = 256 * 1024;

export async function insertRaw(tx: Tx, content: number, bytes: Uint8Array): Promise<void> {
  await tx.run`insert into raw_messages (content, bytes) values (${content}, ${bytes.subarray(0, SLICE_BYTES)})`;
  for (let number = 1; number * SLICE_BYTES < bytes.length; number++) {
    const slice = bytes.subarray(number * SLICE_BYTES, (number + 1) * SLICE_BYTES);
    await tx.run`insert into raw_slices (content, number, bytes) values (${content}, ${number}, ${slice})`;
  }
}

/** The size of the message; 0 if the content is none. */
export async function rawBytes(reader: Reader, content: number): Promise<number> {
  const row = await reader.get<{ bytes: number }>`
    select cast(length(m.bytes) + coalesce(
      (select sum(length(s.bytes)) from raw_slices s where s.content = m.content), 0) as bigint) as bytes
    from raw_messages m where m.content = ${content}`;
  return row?.bytes ?? 0;
}

/** In one piece; null if the content is no message, or none any more: it may be deleted between two slices. */
export async function rawOf(reader: Reader, content: number): Promise<Uint8Array | null> {
  const first = await reader.get<{ bytes: Uint8Array; further: number }>`
    select m.bytes,
      (select cast(coalesce(sum(length(s.bytes)), 0) as bigint) from raw_slices s where s.content = m.content) as further
    from raw_messages m where m.content = ${content}`;
  if (!first || first.further === 0) return first?.bytes ?? null;
  const whole = new Uint8Array(first.bytes.length + first.further);
  whole.set(first.bytes);
  for (let number = 1, at = first.bytes.length; at < whole.length; number++) {
    const slice = await reader.get<{ bytes: Uint8Array }>`
      select bytes from raw_slices where content = ${content} and number = ${number}`;
    if (!slice) return null;
    whole.set(slice.bytes, at);
    at += slice.bytes.length;
  }
  return whole;
}

/** Those of these contents that are messages go when their mails are settled; answers how many are new to that. */
export function insertToForget(tx: Tx, contents: readonly number[]): Promise<number> {
  return tx.run`
    insert into messages_to_forget (content, since)
    select content, cast(${tx.now} as text) from raw_messages where content in (${steadyList(contents)})
    on conflict (content) do nothing`;
}

/** The first messages that are to go and of which no mail is under way. */
export async function messagesToForget(reader: Reader, most: number): Promise<number[]> {
  const rows = await reader.all<{ content: number }>`
    select f.content from messages_to_forget f
    where f.content > 0 and not exists (select 1 from emails e where e.content = f.content and e.due_at is not null)
    order by f.content limit ${most}`;
  return rows.map(({ content }) => content);
}

export async function deleteRaw(tx: Tx, contents: readonly number[]): Promise<void> {
  await tx.run`delete from raw_messages where content in (${steadyList(contents)})`;
  await tx.run`delete from raw_slices where content in (${steadyList(contents)})`;
  await tx.run`delete from messages_to_forget where content in (${steadyList(contents)})`;
}
