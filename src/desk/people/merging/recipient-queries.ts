// The SQL of recipients of campaigns that are being sent.
import type { EmailStatus } from "../../../mail/emails/shape.ts";
import { sql } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";

export type RunningRecipient = {
  readonly campaign: number;
  readonly contact: number;
  /** The number of the mail; null = it has none yet. */
  readonly email: number | null;
  readonly status: EmailStatus | null;
  readonly reason: string | null;
};

/** These contacts among the recipients of campaigns that are being sent; their mails are locked. */
export async function underWay(tx: Tx, workspace: number, contacts: readonly number[]): Promise<RunningRecipient[]> {
  const rows = await tx.all<Omit<RunningRecipient, "status">>`
    select r.campaign, r.contact, r.email, r.reason
    from campaigns k join recipients r on r.campaign = k.seq and ${tx.dialect.isAmong(sql`r.contact`, contacts)}
    where k.workspace = ${workspace} and k.status = 'SENDING' and k.deleted_at is null and r.past is null
    order by r.campaign, r.contact`;
  const mails = rows.flatMap(({ email }) => email ?? []);
  if (mails.length === 0) return rows.map((row) => ({ ...row, status: null }));
  const found = await tx.all<{ seq: number; status: EmailStatus }>`
    select seq, status from emails where ${tx.dialect.isAmong(sql`seq`, mails)} order by seq${tx.dialect.forUpdate}`;
  const statuses = new Map(found.map(({ seq, status }) => [seq, status]));
  return rows.map((row) => ({ ...row, status: row.email === null ? null : (statuses.get(row.email) ?? "CANCELLED") }));
}
