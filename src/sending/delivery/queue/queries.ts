// The SQL of the mails that wait in a workspace's queue. No count reads more rows than `most`.
import { HELD, inHeap, IN_TURN, type Heap, type Lane } from "../../../mail/emails/queue/holds.ts";
import { flag } from "../../../store/columns.ts";
import { isTrulyDue } from "../../../store/clock-queries.ts";
import { sql, type Sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";

type LaneOf = { readonly workspace: number; readonly lane: Lane };
type LaneTally = { readonly count: number; /** Null if there is none. */ readonly firstAt: string | null };

/** Due mails of a lane, and the due time of the oldest. */
export function countDue(reader: Reader, lane: LaneOf, now: string, most: number): Promise<LaneTally> {
  return count(reader, { ...lane, is: isTrulyDue(sql`due_at`) }, now, most);
}

/** Mails that are due only by a clock in doubt. */
export function countHeldByClock(reader: Reader, lane: LaneOf, now: string, most: number): Promise<LaneTally> {
  return count(reader, { ...lane, is: sql`not ${isTrulyDue(sql`due_at`)}` }, now, most);
}

async function count(
  reader: Reader,
  { workspace, lane, is }: LaneOf & { readonly is: Sql },
  now: string,
  most: number,
): Promise<LaneTally> {
  const row = await reader.get<LaneTally>`
    select count(*) as count, min(due_at) as "firstAt" from (
      select due_at from emails where lane = ${lane} and workspace = ${workspace} and ${IN_TURN} and due_at is not null and due_at <= ${now}
        and ${is} order by due_at limit ${most}) as latest`;
  return row as LaneTally;
}

/** The mails of a heap. */
export async function countApart(
  reader: Reader,
  { workspace, ...heap }: Heap & { readonly workspace: number },
  most: number,
): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from (
      select 1 as apart from emails
      where ${inHeap(heap)} and workspace = ${workspace} and due_at is not null limit ${most}) as latest`;
  return row?.count ?? 0;
}

export type LaterMailTally = LaneTally & { readonly why: "HANDING_OVER" | "RETRY" | "SCHEDULED" | "PERHAPS_DELIVERED" };

/** Mails that are due later, or in hand: the next ones. */
export function countLater(
  reader: Reader,
  { workspace, lane }: LaneOf,
  now: string,
  most: number,
): Promise<LaterMailTally[]> {
  return reader.all<LaterMailTally>`
    select case when status = 'SENDING' then 'HANDING_OVER' when status = 'PERHAPS_DELIVERED' then 'PERHAPS_DELIVERED' when attempts > 0 then 'RETRY' else 'SCHEDULED' end as why,
      count(*) as count, min(due_at) as "firstAt" from (
      select status, attempts, due_at from emails
      where lane = ${lane} and workspace = ${workspace} and ${IN_TURN} and due_at is not null and due_at > ${now} order by due_at limit ${most}) as latest
    group by 1`;
}

export type RunningCampaign = {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly isPaused: boolean;
  /** Why the campaign cannot go on, in words. */
  readonly blocked: string | null;
  readonly isDomainVerified: boolean;
  readonly queuedTo: number;
};

type CampaignRow = Omit<RunningCampaign, "isPaused" | "isDomainVerified"> & {
  readonly paused: 0 | 1;
  readonly verified: 0 | 1;
};

/** Newest first. */
export async function campaignsUnderWay(reader: Reader, workspace: number, most: number): Promise<RunningCampaign[]> {
  const rows = await reader.all<CampaignRow>`
    select k.seq, k.id, k.name, k.paused, k.blocked, k.fed_to as "queuedTo", case when exists (
        select 1 from domains d where d.workspace = k.workspace and d.removed_at is null and d.verified_at is not null
          and d.domain = substr(k.from_address, length(rtrim(k.from_address, replace(k.from_address, '@', ''))) + 1)
      ) then 1 else 0 end as verified
    from campaigns k where k.workspace = ${workspace} and k.status = 'SENDING' order by k.seq desc limit ${most}`;
  return rows.map(({ paused, verified, ...same }) => ({
    ...same,
    isPaused: flag(paused),
    isDomainVerified: flag(verified),
  }));
}

/** Mails of a campaign that are on hold. */
export async function countHeld(reader: Reader, campaign: number, most: number): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from (
      select 1 as held from emails where campaign = ${campaign} and ${HELD.campaign} and due_at is not null limit ${most}) as latest`;
  return row?.count ?? 0;
}

/** Mails of a campaign that wait for the pace of a mailbox provider. */
export async function countPacedOf(reader: Reader, campaign: number, most: number): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from (
      select 1 as paced from emails where campaign = ${campaign} and ${HELD.pace} and due_at is not null limit ${most}) as latest`;
  return row?.count ?? 0;
}

/** Recipients of a campaign who have no mail yet, nor a reason for having none. */
export async function countToQueue(
  reader: Reader,
  { seq, queuedTo }: Pick<RunningCampaign, "seq" | "queuedTo">,
  most: number,
): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from (
      select 1 as waits from recipients where campaign = ${seq} and contact > ${queuedTo} limit ${most}) as latest`;
  return row?.count ?? 0;
}
