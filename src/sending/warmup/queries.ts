// The SQL of warm-ups.
import { HELD, inHeap, MARKETING } from "../../mail/emails/queue/holds.ts";
import { column, TableRows, type RowOf } from "../../store/columns.ts";
import { literal, sql, steadyList, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { wayOfHop } from "../../ground/ways/hop.ts";
import type { WarmupPlan } from "./plan.ts";

export type WarmupState = "RUNNING" | "PAUSED" | "HALTED" | "DONE" | "SKIPPED";

const ROWS = new TableRows("warmups", {
  seq: column.number(),
  /** Null = the warm-up of a way out. */
  workspace: column.orNull(column.number()),
  domain: column.orNull(column.number()),
  way: column.orNull(column.text()),
  state: column.oneOf<WarmupState>(),
  plan: column.json<WarmupPlan>(),
  /** From 1. */
  day: column.number(),
  /** Begins with the day's first email; null = it has not begun. */
  dayBeganAt: column.orNull(column.text()),
  /** HALTED: the rate that was too high. SKIPPED: the reason that a person gave. */
  reason: column.orNull(column.text()),
  /** Earlier outcomes do not count any more. */
  judgedFrom: column.text(),
  startedAt: column.text(),
  /** When its plan was saved. */
  plannedAt: column.text(),
  changedAt: column.text(),
});

export type Warmup = RowOf<typeof ROWS>;

const PACED_MARKETING = inHeap({ lane: MARKETING, hold: "pace" });

/** A sender domain, by its seq, or a way out, by its name. */
export type WarmupSubject = { readonly domain: number } | { readonly way: string };

const isOf = (subject: WarmupSubject): Sql =>
  "domain" in subject ? sql`domain = ${subject.domain}` : sql`way = ${subject.way}`;

export function warmupOf(reader: Reader, subject: WarmupSubject): Promise<Warmup | null> {
  return ROWS.get(reader, sql`where ${isOf(subject)}`);
}

/** Locked: other processes wait until this transaction ends. */
export function lockWarmup(tx: Tx, subject: WarmupSubject): Promise<Warmup | null> {
  return ROWS.get(tx, sql`where ${isOf(subject)}${tx.dialect.forUpdate}`);
}

/** The warm-ups that are not over. */
export function warmupsUnderWay(reader: Reader, most: number): Promise<Warmup[]> {
  return ROWS.all(reader, sql`where state in ('RUNNING', 'PAUSED', 'HALTED') order by seq limit ${most}`);
}

export type WarmupHalt = {
  readonly id: string | null;
  /** The sender domain, or the way out. */
  readonly name: string;
  /** Null = the warm-up of a way out. */
  readonly workspace: string | null;
  readonly reason: string;
  readonly since: string;
};

/** Warm-ups that halted automatically, of a workspace or (null) of all. */
export function haltedWarmups(reader: Reader, workspace: number | null, most: number): Promise<WarmupHalt[]> {
  const own = workspace === null ? sql`` : sql` and u.workspace = ${workspace}`;
  return reader.all<WarmupHalt>`
    select d.id, coalesce(d.domain, u.way) as name, w.name as workspace, u.reason, u.changed_at as since
    from warmups u left join domains d on d.seq = u.domain left join workspaces w on w.seq = u.workspace
    where u.state = 'HALTED' and (u.domain is null or d.removed_at is null)${own} order by u.seq limit ${most}`;
}

/** False if there is one already. */
export async function insertWarmup(
  tx: Tx,
  subject: WarmupSubject & { readonly workspace: number | null },
  { state, plan }: Pick<Warmup, "state" | "plan">,
): Promise<boolean> {
  const domain = "domain" in subject ? subject.domain : null;
  const way = "way" in subject ? subject.way : null;
  const inserted = await tx.run`
    insert into warmups (workspace, domain, way, state, plan, day, judged_from, started_at, planned_at, changed_at)
    values (${subject.workspace}, ${domain}, ${way}, ${state}, ${JSON.stringify(plan)}, 1, ${tx.now}, ${tx.now}, ${tx.now}, ${tx.now})
    on conflict do nothing`;
  return inserted > 0;
}

type WarmupChange = Partial<
  Pick<Warmup, "state" | "plan" | "day" | "dayBeganAt" | "reason" | "judgedFrom" | "startedAt" | "plannedAt">
>;

/** `warmup` is locked. */
export function changeWarmup(tx: Tx, { seq }: Warmup, change: WarmupChange): Promise<Warmup> {
  return ROWS.update(tx, seq, { ...change, changedAt: tx.now });
}

/** Begins a new day: each provider has got no mail yet, and may get its burst. */
export function clearSent(tx: Tx, warmup: number): Promise<number> {
  return tx.run`update warmup_mailboxes set sent = 0, next_at_ms = 0 where warmup = ${warmup}`;
}

export type WarmupBucket = { readonly sent: number; readonly nextAtMs: number };

/** A provider's row, locked: two processes could both read a missing one. Null = the warm-up is gone. */
export async function lockMailbox(tx: Tx, warmup: number, mailbox: string): Promise<WarmupBucket | null> {
  const locked = () => tx.get<WarmupBucket>`
    select sent, next_at_ms as "nextAtMs" from warmup_mailboxes where warmup = ${warmup} and mailbox = ${mailbox}${tx.dialect.forUpdate}`;
  const known = await locked();
  if (known) return known;
  await tx.run`
    insert into warmup_mailboxes (warmup, mailbox) select seq, cast(${mailbox} as text) from warmups where seq = ${warmup}
    on conflict do nothing`;
  return locked();
}

/** Counts mails that left today. `nextAtMs` null = unchanged. */
export async function addSent(
  tx: Tx,
  { warmup, mailbox }: { readonly warmup: number; readonly mailbox: string },
  count: number,
  nextAtMs: number | null,
): Promise<void> {
  await tx.run`
    insert into warmup_mailboxes (warmup, mailbox, sent, next_at_ms)
    select seq, cast(${mailbox} as text), cast(${count} as bigint), cast(${nextAtMs ?? 0} as double precision)
    from warmups where seq = ${warmup}
    on conflict (warmup, mailbox) do update set sent = warmup_mailboxes.sent + ${count},
      next_at_ms = case when ${nextAtMs === null ? 1 : 0} = 1 then warmup_mailboxes.next_at_ms else excluded.next_at_ms end`;
  await tx.run`update warmups set day_began_at = ${tx.now} where seq = ${warmup} and day_began_at is null`;
}

/** Takes counted mails back that have not left; a day without any mail has not begun. */
export async function takeBack(
  tx: Tx,
  { warmup, mailbox }: { readonly warmup: number; readonly mailbox: string },
  count: number,
): Promise<void> {
  await tx.run`
    update warmup_mailboxes set sent = case when sent > ${count} then sent - ${count} else 0 end
    where warmup = ${warmup} and mailbox = ${mailbox}`;
  await tx.run`
    update warmups set day_began_at = null where seq = ${warmup} and day_began_at is not null
      and not exists (select 1 from warmup_mailboxes m where m.warmup = warmups.seq and m.sent > 0)`;
}

/** The mail servers of a way out, by their numbers. */
export async function hopsOf(reader: Reader, way: string): Promise<number[]> {
  const hops = await reader.all<{ seq: number; name: string }>`select seq, name from hops`;
  return hops.filter(({ name }) => wayOfHop(name) === way).map(({ seq }) => seq);
}

/** The outcomes of emails handed to these mail servers (by their numbers) since a quarter of an hour. */
export async function outcomesAt(reader: Reader, hops: readonly number[], quarter: string): Promise<HopOutcomes> {
  const of = (what: "sent" | "hard_bounced" | "complained") => sql`(
    select sum(c.${literal(what)}) from mail_group_counts c
    where c.workspace = w.seq and c.kind = 'hop' and c.quarter >= ${quarter} and c.name in (${steadyList(hops.map(String))}))`;
  const row = await reader.get<HopOutcomes>`
    select cast(coalesce(sum(${of("sent")}), 0) as bigint) as sent, cast(coalesce(sum(${of("hard_bounced")}), 0) as bigint) as bounced,
      cast(coalesce(sum(${of("complained")}), 0) as bigint) as complained
    from workspaces w`;
  return row ?? { sent: 0, bounced: 0, complained: 0 };
}

export type SentToday = { readonly mailbox: string; readonly sent: number };

export function sentToday(reader: Reader, warmup: number): Promise<SentToday[]> {
  return reader.all<SentToday>`
    select mailbox, sent from warmup_mailboxes where warmup = ${warmup} order by mailbox`;
}

export type HopOutcomes = { readonly sent: number; readonly bounced: number; readonly complained: number };

/** The outcomes of a domain's emails since a quarter of an hour. */
export async function outcomesSince(
  reader: Reader,
  { workspace, domain }: { readonly workspace: number; readonly domain: number },
  quarter: string,
): Promise<HopOutcomes> {
  const row = await reader.get<HopOutcomes>`
    select cast(coalesce(sum(c.sent), 0) as bigint) as sent, cast(coalesce(sum(c.hard_bounced), 0) as bigint) as bounced,
      cast(coalesce(sum(c.complained), 0) as bigint) as complained
    from mail_counts c join domains d on d.seq = ${domain} and d.domain = c.domain
    where c.workspace = ${workspace} and c.quarter >= ${quarter}`;
  return row ?? { sent: 0, bounced: 0, complained: 0 };
}

/** A domain's emails that were refused at the hand-over, so that they do not count as sent. */
export async function countRefused(
  reader: Reader,
  { workspace, domain }: { readonly workspace: number; readonly domain: number },
  since: string,
  most: number,
): Promise<number> {
  const row = await reader.get<{ refused: number }>`
    select count(*) as refused from (
      select content from emails
      where workspace = ${workspace} and status = 'BOUNCED' and bounced_at >= ${since} and sent_at is null and bounce_type = 'Permanent'
      order by bounced_at desc limit ${most}) as latest
    join contents c on c.seq = latest.content where c.domain = ${domain}`;
  return row?.refused ?? 0;
}

/** Marketing email of a campaign that waits, by provider. */
export function waitingOfCampaign(reader: Reader, campaign: number, most: number): Promise<MailboxBacklog[]> {
  return reader.all<MailboxBacklog>`
    select s.mailbox, count(*) as count from (
      select e.backlog from emails e where e.campaign = ${campaign} and ${HELD.pace} and e.due_at is not null limit ${most}) as latest
    join backlogs s on s.seq = latest.backlog group by s.mailbox`;
}

/** At most `most` of a backlog's emails, by provider. */
export type MailboxBacklog = { readonly mailbox: string; readonly count: number };

/** Null = all sender domains. */
export function waitingOf(reader: Reader, domain: number | null, most: number): Promise<MailboxBacklog[]> {
  if (domain === null)
    return reader.all<MailboxBacklog>`
      select s.mailbox, count(*) as count from (
        select e.backlog from backlogs o join emails e on e.backlog = o.seq and ${PACED_MARKETING} and e.due_at is not null limit ${most}) as latest
      join backlogs s on s.seq = latest.backlog group by s.mailbox`;
  return reader.all<MailboxBacklog>`
    select s.mailbox, (select count(*) from (
      select 1 as waits from emails e where e.backlog = s.seq and ${PACED_MARKETING} and e.due_at is not null limit ${most}) as latest) as count
    from backlogs s where s.domain = ${domain}`;
}
