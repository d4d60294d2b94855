// The SQL of lists of suppressions, and of their counts.
import { sql, written, type Sql } from "../../store/sql.ts";
import type { Dialect, Reader } from "../../store/store.ts";
import {
  SUPPRESSION,
  type SuppressionKind,
  type SuppressionReason,
  type SuppressionScope,
  type Suppression,
} from "./queries.ts";

export type SuppressionFilter = {
  readonly workspace: number;
  readonly kind: SuppressionKind | null;
  readonly reason: SuppressionReason | null;
  readonly scope: SuppressionScope | null;
  /** In lower case; empty = all. */
  readonly search: string;
  /** Only suppressions in force at one of these targets; at least one target. */
  readonly at?: { readonly targets: readonly string[]; readonly now: string };
};

function matching(dialect: Dialect, { workspace, kind, reason, scope, search, at }: SuppressionFilter): Sql {
  const placed = at
    ? sql` and ${dialect.isOneOf(sql`target`, at.targets)} and coalesce(until, '9') > ${at.now}`
    : sql``;
  const found = search === "" ? sql`` : sql` and kind <> 'hash' and instr(target, ${search}) > 0`;
  return sql`workspace = ${workspace}${kind === null ? sql`` : sql` and kind = ${kind}`}${
    reason === null ? sql`` : sql` and reason = ${reason}`
  }${scope === null ? sql`` : sql` and scope = ${scope}`}${placed}${found}`;
}

export type SuppressionEntry = Suppression & { readonly contactId: string | null };

/** Newest first, with the contacts of the addresses. */
export function suppressionsPage(
  reader: Reader,
  filter: SuppressionFilter,
  { from, limit }: { readonly from: number | null; readonly limit: number },
): Promise<SuppressionEntry[]> {
  const onward = from === null ? sql`` : sql` and seq <= ${from}`;
  return reader.all`
    select s.*, c.id as "contactId"
    from (select ${SUPPRESSION} from suppressions where ${matching(reader.dialect, filter)}${onward} order by seq desc limit ${written(limit)}) s
    left join contacts c on c.workspace = s.workspace and c.email = s.target
    order by s.seq desc`;
}

/** As `suppressionsPage`, for suppressions at these targets. */
export function suppressionsListed(
  reader: Reader,
  workspace: number,
  targets: readonly string[],
): Promise<SuppressionEntry[]> {
  return reader.all`
    select s.*, c.id as "contactId"
    from (select ${SUPPRESSION} from suppressions
      where workspace = ${workspace} and ${reader.dialect.isOneOf(sql`target`, targets)}) s
    left join contacts c on c.workspace = s.workspace and c.email = s.target
    order by s.seq desc`;
}

/** Oldest first, without hashes: for export to a file. */
export function suppressionsAfter(
  reader: Reader,
  filter: SuppressionFilter,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Suppression[]> {
  return reader.all`
    select ${SUPPRESSION} from suppressions
    where ${matching(reader.dialect, filter)} and kind <> 'hash' and seq > ${after} order by seq limit ${written(limit)}`;
}

/** One more than `most` = there are more. */
export async function countUpTo(reader: Reader, filter: SuppressionFilter, most: number): Promise<number> {
  const row = await reader.get<{ total: number }>`
    select count(*) as total from (select 1 from suppressions where ${matching(reader.dialect, filter)} limit ${written(most + 1)}) as found`;
  return row?.total ?? 0;
}

export function countByReason(
  reader: Reader,
  workspace: number,
): Promise<{ reason: SuppressionReason; count: number }[]> {
  return reader.all`
    select reason, count(*) as count from suppressions where workspace = ${workspace} group by reason`;
}

export async function countDomains(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from suppressions where workspace = ${workspace} and kind = 'domain'`;
  return row?.count ?? 0;
}

type SuppressionCursor = {
  readonly workspace: number;
  /** Null = all reasons. */
  readonly reason: SuppressionReason | null;
  readonly now: string;
  /** The number of a suppression that the answer precedes or follows; null = starts from the newest. */
  readonly than: number | null;
  readonly isNewer: boolean;
  readonly limit: number;
};

/** Addresses in force next to another one, newest first. */
export async function addressesBeside(reader: Reader, beside: SuppressionCursor): Promise<Suppression[]> {
  const { workspace, reason, now, than, isNewer, limit } = beside;
  const why = reason === null ? sql`` : sql` and reason = ${reason}`;
  const place = than === null ? sql`` : isNewer ? sql` and seq > ${than}` : sql` and seq < ${than}`;
  const found = await reader.all<Suppression>`
    select ${SUPPRESSION} from suppressions
    where workspace = ${workspace} and kind = 'address' and coalesce(until, '9') > ${now}${why}${place}
    order by seq ${isNewer ? sql`asc` : sql`desc`} limit ${written(limit)}`;
  return isNewer ? found.toReversed() : found;
}

type SuppressionPeriod = {
  readonly workspace: number;
  readonly reason: SuppressionReason;
  readonly now: string;
  /** Both ends are included. */
  readonly since: string;
  readonly until: string;
};

/** The newest addresses in force that were suppressed for this reason in a span of time. */
export function addressesSince(reader: Reader, of: SuppressionPeriod, most: number): Promise<Suppression[]> {
  return reader.all`
    select ${SUPPRESSION} from suppressions
    where workspace = ${of.workspace} and reason = ${of.reason} and kind = 'address' and coalesce(until, '9') > ${of.now}
      and created_at >= ${of.since} and created_at <= ${of.until}
    order by seq desc limit ${written(most)}`;
}
