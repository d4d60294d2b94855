// The SQL that evaluates a condition for one contact.
import { joined, sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import type { ConditionFilter } from "./condition/filter.ts";
import type { FunnelCounts } from "./condition/falling.ts";
import { hasTag, isMember } from "./condition/condition.ts";

type ConditionVerdict = { readonly filters: readonly boolean[]; readonly matches: boolean };

export async function verdictsOn(
  reader: Reader,
  contact: number,
  verdicts: FunnelCounts["verdicts"],
  matches: Sql,
): Promise<ConditionVerdict> {
  const columns = verdicts.map(({ name, verdict }) => sql`, case when ${verdict} then 1 else 0 end as ${name}`);
  const row = await reader.get<Record<string, number>>`
    with judged as materialized (select c.seq ${joined(columns, "")} from contacts c where c.seq = ${contact})
    select judged.*, case when ${matches} then 1 else 0 end as matches from judged`;
  return { filters: verdicts.map((_, index) => row?.[`f${index}`] === 1), matches: row?.["matches"] === 1 };
}

export async function isKept(reader: Reader, segment: number, contact: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as found from contacts c where c.seq = ${contact} and ${isMember(sql`${segment}`)}`;
  return row !== null;
}

type LastEvent = { readonly createdAt: string; readonly emailId: string | null };

/** The last event that a filter counts. */
export function lastEvent(
  reader: Reader,
  contact: number,
  name: string,
  filter: ConditionFilter,
): Promise<LastEvent | null> {
  return reader.get<LastEvent>`
    select e.created_at as "createdAt", m.id as "emailId" from events e left join emails m on m.seq = e.email
    where e.contact = ${contact} and e.name = ${name}${hasTag(filter)} order by e.seq desc limit 1`;
}
