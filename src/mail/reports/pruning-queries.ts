// The SQL of deleting reports: old ones, those of a removed domain, those of a removed workspace.
import type { ExpiryPiece, ExpiryRange } from "../../base/jobs/pieces.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

/** The last of a workspace's next `most` old reports; null = none. */
export async function endOfOldReports(
  reader: Reader,
  { workspace, after, before }: ExpiryRange,
  most: number,
): Promise<number | null> {
  const row = await reader.get<{ last: number | null }>`
    select max(seq) as last from (
      select seq, created_at from reports where workspace = ${workspace} and seq > ${after} order by seq limit ${most}) as next
    where created_at < ${before}`;
  return row?.last ?? null;
}

/** Includes their rows and their bytes. */
export async function deleteOldReports(tx: Tx, { workspace, after, upTo, before }: ExpiryPiece): Promise<number> {
  const old = sql`workspace = ${workspace} and seq > ${after} and seq <= ${upTo} and created_at < ${before}`;
  await tx.run`
    delete from messages where content is null and due_at is null
      and seq in (select message from reports where ${old} and message is not null)`;
  return tx.run`delete from reports where ${old}`;
}

export async function countOldReports(reader: Reader, workspace: number, before: string): Promise<number> {
  const row = await reader.get<{ reports: number }>`
    select count(*) as reports from reports where workspace = ${workspace} and created_at < ${before}`;
  return row?.reports ?? 0;
}

/** Deletes a part of a workspace's reports; answers their number. */
export async function deleteReportsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return deleteThese(
    tx,
    await tx.all<ReportPruneRow>`
    select seq, message from reports where workspace = ${workspace} order by seq limit ${most}`,
  );
}

/** Domains that their workspaces have removed: they stay, hidden, as long as mails name them. */
export async function deleteReportsOfRemoved(tx: Tx, most: number): Promise<number> {
  return deleteThese(
    tx,
    await tx.all<ReportPruneRow>`
    select r.seq, r.message from domains d cross join reports r
    where d.removed_at is not null and r.domain = d.seq limit ${most}`,
  );
}

type ReportPruneRow = { readonly seq: number; readonly message: number | null };

async function deleteThese(tx: Tx, gone: readonly ReportPruneRow[]): Promise<number> {
  const messages = gone.flatMap(({ message }) => message ?? []);
  if (messages.length > 0)
    await tx.run`delete from messages where content is null and due_at is null and ${tx.dialect.isAmong(sql`seq`, messages)}`;
  if (gone.length === 0) return 0;
  return tx.run`
    delete from reports where ${tx.dialect.isAmong(
      sql`seq`,
      gone.map(({ seq }) => seq),
    )}`;
}
