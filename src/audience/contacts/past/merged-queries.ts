// The SQL that finds the current contact of a merged one. src/desk/people does the merging.
import { loader } from "../../../store/loads.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

/** The public id of the contact that this one was merged into; null = it was not merged. */
export async function mergedInto(reader: Reader, workspace: number, id: string): Promise<string | null> {
  const row = await reader.get<{ id: string }>`
    select c.id from merged_contacts m join contacts c on c.seq = m.contact
    where m.id = ${id} and m.workspace = ${workspace}`;
  return row?.id ?? null;
}

/** The merged ones among these numbers, each with its current contact. */
export async function mergedAmong(reader: Reader, numbers: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (numbers.length === 0) return new Map();
  const rows = await reader.all<{ former: number; contact: number }>`
    select former, contact from merged_contacts where ${reader.dialect.isAmong(sql`former`, numbers)}`;
  return new Map(rows.map(({ former, contact }) => [former, contact]));
}

/** Records that contacts unsubscribed by a merge unsubscribed once more: undoing the merge does not subscribe them. */
export const noteLeft = loader<number, void>({
  stage: "change",
  ask: async (tx, contacts) => {
    await tx.run`
      update merges set unsubscribed_since = 1
      where ${tx.dialect.isAmong(sql`contact`, contacts)} and unsubscribed_since = 0`;
    return [];
  },
});

/** Like noteLeft, for a topic left by a merge and then left once more: undoing the merge rejoins no topic. */
export function noteLeftTopics(tx: Tx, contact: number): Promise<number> {
  return tx.run`update merges set topic_left_since = 1 where contact = ${contact} and topic_left_since = 0`;
}
