// The SQL of the latest events of mails, from three lists: accepted mails, events, and attempts that failed.
import { joined, sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

/** Null = any. */
export type TailFilter = { readonly workspace: number | null; readonly mail: number | null };

/** Rows of these lists beyond here. */
export type TailCursor = { readonly mail: number; readonly event: number; readonly attemptAt: string };

export type TailEvent = {
  /** Unique among all that happened. */
  readonly key: string;
  readonly at: string;
  /** `accepted`, `received`, the name of an event, or the outcome of an attempt. */
  readonly what: string;
  readonly mail: string;
  readonly workspace: string;
  readonly to: string;
  readonly attempt: number | null;
  readonly reply: string | null;
  readonly tookMs: number | null;
};

const OF_MAIL = sql`e.id as mail, w.id as workspace, e.to_address as "to"`;

/** `column`: the workspace of the list's rows, or a sum that no index has, so that a list is read along its end. */
function within({ workspace, mail }: TailFilter, column: Sql): Sql {
  const parts = [
    ...(workspace === null ? [] : [sql`${column} = ${workspace}`]),
    ...(mail === null ? [] : [sql`e.seq = ${mail}`]),
  ];
  return parts.length === 0 ? sql`` : sql` and ${joined(parts, " and ")}`;
}

type TailQuery = { readonly filter: TailFilter; readonly place: TailCursor; readonly most: number };

export function acceptedAfter(
  reader: Reader,
  { filter, place, most }: TailQuery,
): Promise<(TailEvent & { seq: number })[]> {
  return reader.all<TailEvent & { seq: number }>`
    select e.seq, 'mail ' || e.seq as key, e.created_at as at, ${OF_MAIL}, null as attempt, null as reply, null as "tookMs",
      case when e.source_type = 'INBOUND' then 'received' else 'accepted' end as what
    from emails e join workspaces w on w.seq = e.workspace
    where e.seq > ${place.mail}${within(filter, sql`e.workspace`)} order by e.seq limit ${most}`;
}

/** A bounce is in the list of attempts as well, with the server's reply. */
export function eventsAfter(
  reader: Reader,
  { filter, place, most }: TailQuery,
): Promise<(TailEvent & { seq: number })[]> {
  return reader.all<TailEvent & { seq: number }>`
    select v.seq, 'event ' || v.seq as key, v.created_at as at, v.name as what, ${OF_MAIL},
      case when v.name = 'email.sent' then e.attempts end as attempt,
      case when v.name = 'email.sent' then e.reply end as reply,
      case when v.name = 'email.sent' then e.took_ms end as "tookMs"
    from events v join emails e on e.seq = v.email join workspaces w on w.seq = e.workspace
    where v.seq > ${place.event} and v.email is not null
      and v.name in ('email.sent', 'email.delivery', 'email.complaint', 'email.open', 'email.click')${within(filter, sql`v.workspace`)}
    order by v.seq limit ${most}`;
}

export function attemptsSince(reader: Reader, { filter, place, most }: TailQuery): Promise<TailEvent[]> {
  return reader.all<TailEvent>`
    select 'attempt ' || a.email || ' ' || a.number || ' ' || a.at as key, a.at, a.outcome as what, ${OF_MAIL},
      a.number as attempt, a.reply, a.took_ms as "tookMs"
    from email_attempts a join emails e on e.seq = a.email join workspaces w on w.seq = e.workspace
    where a.at >= ${place.attemptAt}${within(filter, sql`(e.workspace + 0)`)} order by a.at limit ${most}`;
}

/** Where these lists end now. */
export async function endOfLists(reader: Reader): Promise<Omit<TailCursor, "attemptAt">> {
  const row = await reader.get<Omit<TailCursor, "attemptAt">>`
    select (select coalesce(max(seq), 0) from emails) as mail, (select coalesce(max(seq), 0) from events) as event`;
  return row as Omit<TailCursor, "attemptAt">;
}

/** The number of a mail of any workspace; null = none. */
export async function mailNumbered(reader: Reader, id: string): Promise<number | null> {
  const row = await reader.get<{ seq: number }>`select seq from emails where id = ${id}`;
  return row?.seq ?? null;
}
