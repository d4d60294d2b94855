// The SQL that counts the people who match a condition, and those left after each part of it.
import { isPausedAt } from "../contacts/pause-queries.ts";
import { C_PRESENT } from "../contacts/queries.ts";
import { joined, sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import { columnNamed, type FunnelCounts } from "./condition/falling.ts";

/** Every contact, or one of each `every` in the order of their numbers, from `first` to `last`. */
export type SampleRange = {
  readonly workspace: number;
  readonly every: number;
  readonly first: number;
  readonly last: number;
  /** The number of all contacts. */
  readonly total: number;
};

export type PreviewTerms = Pick<FunnelCounts, "verdicts" | "steps" | "matches"> & {
  /** True for recipients of a topic's mail; null = no topic is given. */
  readonly topic: Sql | null;
  /** True for suppressed domains; null = there are none. */
  readonly domains: Sql | null;
  /** The current moment: contacts whose pause ends later get no mail. */
  readonly now: string;
  /** Each true for contacts `c` without a variable. */
  readonly lacking: readonly Sql[];
};

export type PreviewTally = {
  /** All contacts that were evaluated. */
  readonly people: number;
  readonly matched: number;
  readonly suppressed: number;
  readonly pending: number;
  readonly unsubscribed: number;
  readonly topic: number;
  readonly paused: number;
  readonly remaining: readonly number[];
  readonly lacking: readonly number[];
};

/** The range of numbers of a workspace's contacts. */
export async function numbersOf(reader: Reader, workspace: number): Promise<Pick<SampleRange, "first" | "last">> {
  const end = (order: Sql) =>
    sql`(select seq from contacts where workspace = ${workspace} order by seq ${order} limit 1)`;
  const row = await reader.get<{ first: number | null; last: number | null }>`
    select ${end(sql`asc`)} as first, ${end(sql`desc`)} as last`;
  return { first: row?.first ?? 0, last: row?.last ?? 0 };
}

/** Reading this many numbers in order takes as long as looking up one. */
const READ_MEANWHILE = 30;

/** True for the evaluated contacts `c`, which are found by number alone: of others, at most the numbers are read. */
export function lookedAt({ workspace, every, first, last, total }: SampleRange): Sql {
  if (every === 1) return sql`c.workspace = ${workspace} and c.seq > 0`;
  const places = Math.ceil((last + 1 - first) / every);
  const chosen =
    places * READ_MEANWHILE < total
      ? sql`with recursive places (at) as (select cast(0 as bigint) union all select at + 1 from places where at < ${places})
          select ${first} + ${chosenAt(sql`at`, every)} from places`
      : sql`select s.seq from contacts s where s.workspace = ${workspace}
          and s.seq = ${first} + ${chosenAt(sql`((s.seq - ${first}) / ${every})`, every)}`;
  return sql`+c.workspace = ${workspace} and c.seq in (${chosen})`;
}

/**
 * One number of each `every`, evenly spread by the golden ratio of 32 bits. The remainder of a division would choose
 * contacts with a pattern, such as every second one.
 */
function chosenAt(place: Sql, every: number): Sql {
  return sql`${place} * ${every} + (${place} * ${GOLDEN}) % ${TWO_TO_32} * ${every} / ${TWO_TO_32}`;
}

const TWO_TO_32 = 4_294_967_296;
const GOLDEN = 2_654_435_761;

/**
 * A contact that gets no marketing mail for several reasons is counted under the first. The verdicts are materialized
 * for the sums, so that no filter is evaluated twice; the bound on seq makes SQLite read contacts in their stored
 * order.
 */
export async function tally(reader: Reader, looked: SampleRange, judged: PreviewTerms): Promise<PreviewTally> {
  const { verdicts, steps, matches, topic, domains, now, lacking } = judged;
  const suppressed = domains === null ? sql`c.suppressed is not null` : sql`c.suppressed is not null or ${domains}`;
  const left = topic === null ? sql`` : sql` when not (${topic}) then 4`;
  const columns = [
    ...verdicts.map(({ name, verdict }) => sql`, case when ${verdict} then 1 else 0 end as ${name}`),
    ...lacking.map((lacks, index) => sql`, case when ${lacks} then 1 else 0 end as ${columnNamed("m", index)}`),
  ];
  const sums = [
    ...steps.map(({ left }, index) => sql`, ${sumOf(left)} as ${columnNamed("s", index)}`),
    ...lacking.map((_, index) => {
      const name = columnNamed("m", index);
      return sql`, ${sumOf(sql`${matches} and ${name} = 1`)} as ${name}`;
    }),
  ];
  const row = await reader.get<Record<string, number>>`
    with judged as materialized (
      select case when ${suppressed} then 1 when c.status = 'PENDING' then 2 when c.subscribed = 0 then 3${left}
          when ${isPausedAt(now)} then 5 else 0 end as why
        ${joined(columns, "")}
      from contacts c where ${lookedAt(looked)} and ${C_PRESENT})
    select count(*) as people, ${sumOf(matches)} as matched, ${sumOf(sql`${matches} and why = 1`)} as suppressed,
      ${sumOf(sql`${matches} and why = 2`)} as pending, ${sumOf(sql`${matches} and why = 3`)} as unsubscribed,
      ${sumOf(sql`${matches} and why = 4`)} as topic, ${sumOf(sql`${matches} and why = 5`)} as paused
      ${joined(sums, "")}
    from judged`;
  const countUnder = (name: string) => row?.[name] ?? 0;
  return {
    people: countUnder("people"),
    matched: countUnder("matched"),
    suppressed: countUnder("suppressed"),
    pending: countUnder("pending"),
    unsubscribed: countUnder("unsubscribed"),
    topic: countUnder("topic"),
    paused: countUnder("paused"),
    remaining: steps.map((_, index) => countUnder(`s${index}`)),
    lacking: lacking.map((_, index) => countUnder(`m${index}`)),
  };
}

function sumOf(holds: Sql): Sql {
  return sql`coalesce(sum(case when ${holds} then 1 else 0 end), 0)`;
}
