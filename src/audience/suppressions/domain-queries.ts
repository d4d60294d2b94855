// Contacts of suppressed domains, as a condition; and the reach of a domain's suppression.
import { iso } from "../../base/clock.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

/**
 * True for contacts `c` whose domain is suppressed; null = no domain is, so that a workspace without suppressed domains
 * pays nothing. An address has one @.
 */
export async function isOfSuppressedDomain(reader: Reader, workspace: number, nowMs: number): Promise<Sql | null> {
  const some = await reader.get`
    select 1 from suppressions where workspace = ${workspace} and kind = 'domain' limit 1`;
  if (some === null) return null;
  return sql`exists (select 1 from suppressions d where d.workspace = ${workspace} and d.kind = 'domain'
    and d.target = substr(c.email, instr(c.email, '@') + 1) and coalesce(d.until, '9') > ${iso(nowMs)})`;
}

type SuppressionDomain = { readonly workspace: number; readonly domain: string };
export type Reach = { readonly contacts: number; readonly subscribed: number; readonly sample: string[] };

/** The contacts of a domain: their number, and the newest ones. */
export async function reachOf(reader: Reader, { workspace, domain }: SuppressionDomain, most: number): Promise<Reach> {
  const theirs = sql`from contacts c where c.workspace = ${workspace} and substr(c.email, instr(c.email, '@') + 1) = ${domain}
    and instr(c.email, '@') > 0`;
  const counted = await reader.get<Omit<Reach, "sample">>`
    select count(*) as contacts, coalesce(sum(c.subscribed), 0) as subscribed ${theirs}`;
  const { contacts = 0, subscribed = 0 } = counted ?? {};
  if (contacts === 0) return { contacts, subscribed, sample: [] };
  const rows = await reader.all<{ email: string }>`select c.email ${theirs} order by c.seq desc limit ${most}`;
  return { contacts: Number(contacts), subscribed: Number(subscribed), sample: rows.map(({ email }) => email) };
}
