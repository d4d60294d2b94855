// The SQL of the states of sender domains at ways out: whether a way takes mail of a domain, and why not.
import { jsonOrNull } from "../../store/columns.ts";
import { sqlList } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

/** In the form of a finding about a domain (domains/dns-check/finding.ts); WRONG: the way does not take its mail. */
export type WayDomainState = {
  readonly state: "OK" | "MISSING" | "WRONG" | "UNKNOWN";
  readonly problem: string | null;
  readonly code?: string;
  readonly values?: Readonly<Record<string, string>>;
};

export type NamedWayState = { readonly way: string; readonly known: WayDomainState };

/** An UNKNOWN state does not replace a known one. */
export async function putKnown(tx: Tx, domain: number, { way, known }: NamedWayState): Promise<void> {
  const { state } = known;
  const finding = JSON.stringify({ ...known, state: undefined });
  await tx.run`
    insert into way_domains (way, domain, state, finding, since) values (${way}, ${domain}, ${state}, ${finding}, ${tx.now})
    on conflict (way, domain) do update set state = excluded.state, finding = excluded.finding,
      since = case when way_domains.state = excluded.state then way_domains.since else excluded.since end
    where excluded.state <> 'UNKNOWN' or way_domains.state = 'UNKNOWN'`;
}

/** Called when the way was changed or removed. */
export function forgetKnownAt(tx: Tx, way: string): Promise<number> {
  return tx.run`delete from way_domains where way = ${way}`;
}

type WayDomainRow = {
  readonly domain: number;
  readonly way: string;
  readonly state: WayDomainState["state"];
  readonly finding: string;
  readonly since: string;
};
type WayDomainFinding = Omit<WayDomainRow, "finding"> & { readonly known: WayDomainState };

function keptOf<Some extends WayDomainRow>({
  finding,
  ...row
}: Some): Omit<Some, "finding"> & { readonly known: WayDomainState } {
  return { ...row, known: { problem: null, ...jsonOrNull<Omit<WayDomainState, "state">>(finding), state: row.state } };
}

export async function knownOfDomains(reader: Reader, domains: readonly number[]): Promise<WayDomainFinding[]> {
  if (domains.length === 0) return [];
  const rows = await reader.all<WayDomainRow>`
    select domain, way, state, finding, since from way_domains where domain in (${sqlList(domains)})`;
  return rows.map(keptOf);
}

type RefusedRow = WayDomainRow &
  Readonly<Record<"name" | "domainId" | "workspaceName", string>> & { readonly workspace: number };
export type WayDomainRefusal = Omit<RefusedRow, "finding"> & { readonly known: WayDomainState };

/** Verified domains whose mail ways do not take. */
export async function refusedDomains(reader: Reader, most: number): Promise<WayDomainRefusal[]> {
  const rows = await reader.all<RefusedRow>`
    select x.domain, x.way, x.state, x.finding, x.since, d.domain as name, d.id as "domainId", d.workspace, w.name as "workspaceName"
    from way_domains x join domains d on d.seq = x.domain join workspaces w on w.seq = d.workspace
    where x.state = 'WRONG' and d.verified_at is not null and d.removed_at is null
    order by x.way, x.since limit ${most}`;
  return rows.map(keptOf);
}

/** The way's own words, or else the finding in words. */
export function whyOf({ values, problem }: Pick<WayDomainState, "values" | "problem">): string | null {
  return values?.["reply"] ?? problem;
}

/** The ways with a stored state for at least one domain. */
export async function waysWithKnown(reader: Reader): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ way: string }>`select distinct way from way_domains`;
  return new Set(rows.map(({ way }) => way));
}
