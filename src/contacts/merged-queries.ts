// The SQL of contacts that were merged into others, as far as others ask for it: who they are now. src/people merges them.
import { loader } from "../store/loads.ts";
import { sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";

/** The public id of the contact that this one was merged into; null = it was not. */
export async function mergedInto(reader: Reader, workspace: number, id: string): Promise<string | null> {
  const row = await reader.get<{ id: string }>`
    select c.id from merged_contacts m join contacts c on c.seq = m.contact
    where m.id = ${id} and m.workspace = ${workspace}`;
  return row?.id ?? null;
}

/** Of these numbers those that were merged, with who they are now. */
export async function mergedAmong(reader: Reader, numbers: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (numbers.length === 0) return new Map();
  const rows = await reader.all<{ former: number; contact: number }>`
    select former, contact from merged_contacts where ${reader.dialect.isAmong(sql`former`, numbers)}`;
  return new Map(rows.map(({ former, contact }) => [former, contact]));
}

/** Of contacts who are unsubscribed by a merge and do it once more: undoing the merge does not subscribe them. */
export const noteLeft = loader<number, void>({
  stage: "change",
  ask: async (tx, contacts) => {
    await tx.run`update merges set left_since = 1 where ${tx.dialect.isAmong(sql`contact`, contacts)} and left_since = 0`;
    return [];
  },
});
