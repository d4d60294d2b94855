// The SQL of bounce and complaint rates. No count reads more rows than `most`, however much was sent.
import type { Reader } from "../../../store/store.ts";
import { sql } from "../../../store/sql.ts";
import { IS_REAL } from "./simulated-addresses.ts";

/** `seen`: including mails to simulator addresses. `firstAt`: the first mail of `seen`; null = none. */
type SentCount = { readonly sent: number; readonly seen: number; readonly firstAt: string | null };

/** The number of the last mails that were handed over, and the time of the first of them. */
export async function countSent(reader: Reader, workspace: number, since: string, most: number): Promise<SentCount> {
  const row = await reader.get<SentCount>`
    select coalesce(sum(case when e.seq is null or e.${IS_REAL} then 1 else 0 end), 0) as sent, count(*) as seen,
      min(v.created_at) as "firstAt" from (
      select created_at, email from events
      where workspace = ${workspace} and name = 'email.sent' order by seq desc limit ${most}
    ) as v left join emails e on e.seq = v.email where v.created_at >= ${since}`;
  return row as SentCount;
}

type BounceCount = {
  readonly bounced: number;
  readonly hard: number;
  /** Refused by the next hop. */ readonly refused: number;
};

export async function countBounced(
  reader: Reader,
  workspace: number,
  since: string,
  most: number,
): Promise<BounceCount> {
  const row = await reader.get<BounceCount>`
    select count(*) as bounced, coalesce(sum(case when bounce_type = 'Permanent' then 1 else 0 end), 0) as hard,
      coalesce(sum(case when sent_at is null then 1 else 0 end), 0) as refused from (
      select bounce_type, sent_at from emails
      where workspace = ${workspace} and status = 'BOUNCED' and bounced_at >= ${since} and ${IS_REAL} order by bounced_at desc limit ${most}
    ) as latest`;
  return row as BounceCount;
}

export async function countComplaints(reader: Reader, workspace: number, since: string, most: number): Promise<number> {
  const row = await reader.get<{ complained: number }>`
    select count(*) as complained from (
      select seq from emails
      where workspace = ${workspace} and complained_at is not null and complained_at >= ${since} and ${IS_REAL}
      order by complained_at desc limit ${most}
    ) as latest`;
  return row?.complained ?? 0;
}

type TroubledWorkspace = { readonly seq: number; readonly id: string };

/** Workspaces with a bounce or a complaint since then, and those with stopped marketing mail. */
export function troubledWorkspaces(reader: Reader, since: string): Promise<TroubledWorkspace[]> {
  return reader.all<TroubledWorkspace>`
    select w.seq, w.id from workspaces w
    where w.marketing_stopped is not null
      or exists (select 1 from emails e where e.workspace = w.seq and e.status = 'BOUNCED' and e.bounced_at >= ${since})
      or exists (
        select 1 from emails e where e.workspace = w.seq and e.complained_at is not null and e.complained_at >= ${since})`;
}

/** `count`: the mails that were read, at most. `since`: the time of the first of them. */
export type Refusals = { readonly workspace: string; readonly count: number; readonly since: string };

/** Fewer refusals may be the fault of the recipients. */
const MIN_REFUSED = 5;
const MAX_REFUSED = 1_000;
const TRIED_AT = sql`coalesce(e.attempted_at, e.created_at)`;

/** Workspaces whose last mails, tried since then, were all refused; `only`: a single workspace, null = all. */
export function refusedThroughout(reader: Reader, since: string, only: number | null): Promise<Refusals[]> {
  const last = (status: string) => sql`coalesce((
    select e.seq from emails e where e.workspace = w.seq and e.status = ${status} and e.due_at is null and e.${IS_REAL}
    order by e.seq desc limit 1), 0)`;
  const refused = sql`(
    select ${TRIED_AT} as at from emails e
    where e.workspace = g.seq and e.status in ('FAILED', 'BOUNCED') and e.due_at is null
      and e.seq > g.sent and e.seq > g.delivered and e.seq > g.complained and ${TRIED_AT} >= ${since} and e.${IS_REAL}
    order by e.seq desc limit ${MAX_REFUSED}) as refused`;
  return reader.all<Refusals>`
    select workspace, count, since from (
      select g.name as workspace, (select count(*) from ${refused}) as count, (select min(at) from ${refused}) as since
      from (
        select w.seq, w.name, ${last("SENT")} as sent, ${last("DELIVERED")} as delivered, ${last("COMPLAINED")} as complained
        from workspaces w where ${only === null ? sql`1 = 1` : sql`w.seq = ${only}`}
      ) as g
    ) as counted where count >= ${MIN_REFUSED} order by workspace`;
}
