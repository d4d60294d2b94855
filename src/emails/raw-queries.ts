// The SQL of messages that were handed in whole.
import type { Reader, Tx } from "../store/store.ts";

export function insertRaw(tx: Tx, content: number, bytes: Uint8Array): Promise<number> {
  return tx.run`insert into raw_messages (content, bytes) values (${content}, ${bytes})`;
}

export async function rawOf(reader: Reader, content: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ bytes: Uint8Array }>`select bytes from raw_messages where content = ${content}`;
  return row?.bytes ?? null;
}
