// The SQL of the recipients of campaigns that are merged with others.
import { sql, type Sql } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";
import type { MergeDirection } from "../../../store/table.ts";
import { seqsOf } from "../../../store/row-statement.ts";

/** The next campaigns of a workspace, by their numbers. */
export async function campaignsAfter(tx: Tx, workspace: number, after: number, most: number): Promise<number[]> {
  return seqsOf(
    await tx.all<{ seq: number }>`
    select seq from campaigns where workspace = ${workspace} and seq > ${after} order by seq limit ${most}`,
  );
}

const IS_SETTLED: Sql = sql`(email is not null or past is not null or coalesce(reason, 'merged') <> 'merged')`;

/** Moves rows of campaigns where it was a recipient and the other was not. Answers the campaigns. */
export async function moveRecipients(
  tx: Tx,
  campaigns: readonly number[],
  { from, to }: MergeDirection,
): Promise<number[]> {
  const rows = await tx.all<{ campaign: number }>`
    update recipients set contact = ${to} where ${tx.dialect.isAmong(sql`campaign`, campaigns)} and contact = ${from}
      and ${IS_SETTLED} and not exists (
        select 1 from recipients o where o.campaign = recipients.campaign and o.contact = ${to})
    returning campaign`;
  return rows.map(({ campaign }) => campaign);
}

/** As moveBack. */
export function moveRecipientsBack(
  tx: Tx,
  { from, to }: MergeDirection,
  campaigns: readonly number[],
): Promise<number> {
  return tx.run`
    update recipients set contact = ${from} where ${tx.dialect.isAmong(sql`campaign`, campaigns)} and contact = ${to}
      and not exists (select 1 from recipients o where o.campaign = recipients.campaign and o.contact = ${from})`;
}
