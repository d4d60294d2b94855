// The SQL of complete messages: the first slice with their content, the rest of a large one in rows of its own.
import { loader } from "../../../store/loads.ts";
import { insertion } from "../../../store/row-statement.ts";
import { sql, steadyList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

/** The size of a statement's parameter, and of a read. */
const SLICE_BYTES = 256 * 1024;

type RawMessage = { readonly content: number; readonly bytes: Uint8Array };

const RAW = insertion("raw_messages", { content: "bigint", bytes: "bytes" });

/** Inserts a complete message, without a result to wait for. */
export const insertRaw = loader<RawMessage, void>({
  stage: "note",
  ask: async (tx, messages) => {
    const firsts = messages.map(({ content, bytes }) => [content, bytes.subarray(0, SLICE_BYTES)]);
    const inserted: Promise<unknown>[] = [tx.runEach(RAW, firsts)];
    for (const { content, bytes } of messages)
      for (let number = 1; number * SLICE_BYTES < bytes.length; number++) {
        const slice = bytes.subarray(number * SLICE_BYTES, (number + 1) * SLICE_BYTES);
        inserted.push(tx.run`insert into raw_slices (content, number, bytes) values (${content}, ${number}, ${slice})`);
      }
    await Promise.all(inserted);
    return [];
  },
});

const OTHER_SLICES = sql`
  (select cast(coalesce(sum(length(s.bytes)), 0) as bigint) from raw_slices s where s.content = m.content)`;

type RawSize = { readonly first: number; readonly others: number };

/** The size of a complete message; 0 if the content is not one. */
export async function rawBytes(reader: Reader, content: number): Promise<number> {
  const row = await reader.get<RawSize>`
    select length(m.bytes) as first, ${OTHER_SLICES} as others from raw_messages m where m.content = ${content}`;
  return row ? row.first + row.others : 0;
}

/** In one piece; null if the content is not a complete message, or was deleted between two slices. */
export async function rawOf(reader: Reader, content: number): Promise<Uint8Array | null> {
  const first = await reader.get<{ bytes: Uint8Array; others: number }>`
    select m.bytes, ${OTHER_SLICES} as others from raw_messages m where m.content = ${content}`;
  if (!first || first.others === 0) return first?.bytes ?? null;
  const all = new Uint8Array(first.bytes.length + first.others);
  all.set(first.bytes);
  for (let number = 1, at = first.bytes.length; at < all.length; number++) {
    const slice = await reader.get<{ bytes: Uint8Array }>`
      select bytes from raw_slices where content = ${content} and number = ${number}`;
    if (!slice) return null;
    all.set(slice.bytes, at);
    at += slice.bytes.length;
  }
  return all;
}

/** Marks complete messages for deletion once their mails are settled; answers the number of newly marked ones. */
export function insertToForget(tx: Tx, contents: readonly number[]): Promise<number> {
  return tx.run`
    insert into messages_to_forget (content, since)
    select content, cast(${tx.now} as text) from raw_messages where content in (${steadyList(contents)})
    on conflict (content) do nothing`;
}

/** The first marked messages without a mail in flight. */
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
