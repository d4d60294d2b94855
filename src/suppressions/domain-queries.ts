// Contacts whose domain is suppressed, as a condition.
import { iso } from "../clock.ts";
import { sql, type Sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";

/**
 * True for the contacts `c` whose domain is suppressed; null = no domain is, so that a workspace without suppressed
 * domains pays nothing. An address has one @.
 */
export async function isOfSuppressedDomain(reader: Reader, workspace: number, nowMs: number): Promise<Sql | null> {
  const some = await reader.get`
    select 1 from suppressions where workspace = ${workspace} and kind = 'domain' limit 1`;
  if (some === null) return null;
  return sql`exists (select 1 from suppressions d where d.workspace = ${workspace} and d.kind = 'domain'
    and d.target = substr(c.email, instr(c.email, '@') + 1) and coalesce(d.until, '9') > ${iso(nowMs)})`;
}
