// The SQL that deletes the recipients of campaigns that ended long ago. Their number stays with the campaign: the
// states of their mails are counted from the mails, and from the counts kept of pruned ones (pruning-queries.ts).
import { AppError } from "../../base/errors.ts";
import type { ExpiryPiece, ExpiryRange } from "../../base/jobs/pieces.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

/** Small rows, of one campaign at a time. */
const ROWS_AT_ONCE = 500;

const ENDED_AT = sql`coalesce(k.cancelled_at, k.sent_at)`;

/** The last of a workspace's next `most` campaigns that were made before; null = none. */
export async function endOfOldCampaigns(
  reader: Reader,
  { workspace, after, before }: ExpiryRange,
  most: number,
): Promise<number | null> {
  const row = await reader.get<{ last: number | null }>`
    select max(seq) as last from (
      select seq, created_at from campaigns where workspace = ${workspace} and seq > ${after} order by seq limit ${most}) as next
    where created_at < ${before}`;
  return row?.last ?? null;
}

/** Deletes recipients of the first campaign of the piece that ended long ago and still has some. */
export async function deleteOldRecipients(
  tx: Tx,
  { workspace, after, upTo, before }: ExpiryPiece,
): Promise<{ readonly rows: number; readonly isWhole: boolean }> {
  const campaign = await tx.get<{ seq: number }>`
    select k.seq from campaigns k
    where k.workspace = ${workspace} and k.seq > ${after} and k.seq <= ${upTo} and k.status in ('SENT', 'CANCELLED')
      and ${ENDED_AT} < ${before} and exists (select 1 from recipients r where r.campaign = k.seq)
    order by k.seq limit 1${tx.dialect.forUpdate}`;
  if (campaign === null) return { rows: 0, isWhole: true };
  const gone = await tx.all<{ reason: string | null }>`
    delete from recipients where campaign = ${campaign.seq} and contact in (
      select contact from recipients where campaign = ${campaign.seq} order by contact limit ${ROWS_AT_ONCE})
    returning reason`;
  const skipped = gone.filter(({ reason }) => reason !== null).length;
  await tx.run`
    update campaigns set recipients_gone = recipients_gone + ${gone.length}, skipped_gone = skipped_gone + ${skipped}
    where seq = ${campaign.seq}`;
  return { rows: gone.length, isWhole: false };
}

export async function countOldRecipients(reader: Reader, workspace: number, before: string): Promise<number> {
  const row = await reader.get<{ people: number }>`
    select count(*) as people from campaigns k join recipients r on r.campaign = k.seq
    where k.workspace = ${workspace} and k.status in ('SENT', 'CANCELLED') and ${ENDED_AT} < ${before}`;
  return row?.people ?? 0;
}

/** True if some or all of a campaign's recipients were deleted. `id`: the public one. */
export async function areRecipientsGone(reader: Reader, workspace: number, id: string): Promise<boolean> {
  const row = await reader.get`
    select 1 as found from campaigns where id = ${id} and workspace = ${workspace} and recipients_gone > 0`;
  return row !== null;
}

/** @throws AppError RECIPIENTS_GONE */
export async function refuseWithoutRecipients(reader: Reader, workspace: number, id: string): Promise<void> {
  if (!(await areRecipientsGone(reader, workspace, id))) return;
  throw new AppError(
    "RECIPIENTS_GONE",
    "The list of recipients of this campaign was deleted after its retention period; its counts and rates stay.",
    { suggestion: "GET /workspace says for how many days lists are kept: retention.recipientDays." },
  );
}
