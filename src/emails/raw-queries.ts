// The SQL of messages that were handed in whole.
import { steadyList } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

export function insertRaw(tx: Tx, content: number, bytes: Uint8Array): Promise<number> {
  return tx.run`insert into raw_messages (content, bytes) values (${content}, ${bytes})`;
}

export async function rawOf(reader: Reader, content: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ bytes: Uint8Array }>`select bytes from raw_messages where content = ${content}`;
  return row?.bytes ?? null;
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
  await tx.run`delete from messages_to_forget where content in (${steadyList(contents)})`;
}
