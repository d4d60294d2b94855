// The SQL of mails that wait for the pace of a mailbox provider: they are held, so that they do not hold up other mail.
import { isTrulyDue } from "../../../store/clock-queries.ts";
import { sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { UNLESS_HELD } from "../../../store/turns.ts";
import { HELD, IN_TURN, RELEASED, type Lane } from "./holds.ts";
import { hopAssignment, NO_HOP, type MailAttempt } from "./queue-queries.ts";

/** Answers whether the mail was still in hand: it waits as if it had not been tried. */
export async function setPaced(tx: Tx, { seq, attempts }: MailAttempt, backlog: number, place: Sql): Promise<boolean> {
  const changed = await tx.run`
    update emails set status = 'QUEUED', due_at = ${tx.now}, attempts = attempts - 1, ${HELD.pace},
      backlog = ${backlog}, place = ${place}, ${NO_HOP}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} and ${IN_TURN}`;
  return changed > 0;
}

/** First come, first served. */
export const IN_ORDER = sql`0`;

/** The recency of the recipient's last open or click: within 30 days, 90 days, ever, never. */
export function byEngagement(since30: string, since90: string): Sql {
  const last = sql`(select max(coalesce(m.clicked_at, m.opened_at)) from emails m where m.contact = emails.contact)`;
  return sql`case when ${last} >= ${since30} then 0 when ${last} >= ${since90} then 1 when ${last} is not null then 2 else 3 end`;
}

export type Sweep = {
  readonly lane: Lane;
  readonly workspace: number;
  readonly backlog: number;
  /** The sender domain; 0 = it is gone. */
  readonly domain: number;
  /** The condition on the recipient's domain. */
  readonly isTheirs: (domain: Sql) => Sql;
  readonly place: Sql;
};

/**
 * Moves the mails of the backlog among the next `window` due mails; answers their number. Without a join: PostgreSQL
 * would read the window again for each content.
 */
export function sweepDue(tx: Tx, { lane, workspace, backlog, domain, isTheirs, place }: Sweep, window: number) {
  const recipients = sql`substr(d.to_address, length(rtrim(d.to_address, replace(d.to_address, '@', ''))) + 1)`;
  return tx.run`
    update emails set ${HELD.pace}, backlog = ${backlog}, place = ${place}
    where seq in (
      select d.seq from (
        select e.seq, e.to_address, e.content from emails e
        where e.lane = ${lane} and e.workspace = ${workspace} and ${IN_TURN} and e.due_at is not null and e.due_at <= ${tx.now}
          and ${isTrulyDue(sql`e.due_at`)} and e.status = 'QUEUED'
        order by e.due_at limit ${window}${tx.dialect.skipLocked}) d
      where coalesce((select c.domain from contents c where c.seq = d.content), 0) = ${domain} and ${isTheirs(recipients)})`;
}

export type PacedMail = { readonly seq: number; readonly workspace: number };

type BacklogClaim = {
  readonly backlog: number;
  readonly workspace: number;
  readonly leaseUntil: string;
  /** A condition on `emails`; null = all of them. */
  readonly only: Sql | null;
  /** The next hop; null = there is one way only. */
  readonly hop: number | null;
};

/** Claims the next mails of a backlog from one lane. */
export async function claimPaced(
  tx: Tx,
  { backlog, workspace, leaseUntil, only, hop }: BacklogClaim,
  lane: Lane,
  limit: number,
): Promise<PacedMail[]> {
  const rows = await tx.all<{ seq: number }>`
    update emails set status = 'SENDING', due_at = ${leaseUntil}, attempted_at = ${tx.now}, attempts = attempts + 1,
      ${RELEASED}${hopAssignment(hop)}
    where seq in (
      select seq from emails
      where backlog = ${backlog} and lane = ${lane} and ${HELD.pace} and due_at is not null and status = 'QUEUED'${UNLESS_HELD}${only === null ? sql`` : sql` and ${only}`}
      order by place, seq limit ${limit}${tx.dialect.skipLocked})
    returning seq`;
  return rows.map(({ seq }) => ({ seq, workspace })).sort((one, other) => one.seq - other.seq);
}

/** Returns mails to the queue when their limits are gone. Answers their number. */
export function returnPaced(tx: Tx, backlog: number, lane: Lane, most: number): Promise<number> {
  return tx.run`
    update emails set ${RELEASED}, due_at = ${tx.now} where seq in (
      select seq from emails where backlog = ${backlog} and lane = ${lane} and ${HELD.pace} and due_at is not null and status = 'QUEUED'
      limit ${most}${tx.dialect.skipLocked})`;
}

/** The number of waiting mails, at most `most`. */
export async function countPaced(reader: Reader, backlog: number, lane: Lane, most: number): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from (
      select 1 as waits from emails where backlog = ${backlog} and lane = ${lane} and ${HELD.pace} and due_at is not null limit ${most}) as latest`;
  return row?.count ?? 0;
}
