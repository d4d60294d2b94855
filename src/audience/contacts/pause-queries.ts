// The SQL of pauses: paused contacts, ended pauses, and the end of the next one.
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Contact } from "./queries.ts";

/** True for contacts `c` whose marketing mail waits at this moment. */
export function isPausedAt(now: string): Sql {
  return sql`(c.paused_until is not null and c.paused_until > ${now})`;
}

/** Null = no pause. */
export function setPausedUntil(tx: Tx, seq: number, until: string | null): Promise<number> {
  return tx.run`update contacts set paused_until = ${until}, updated_at = ${tx.now} where seq = ${seq}`;
}

export async function nextPauseEnd(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ until: string }>`
    select paused_until as until from contacts where paused_until is not null order by paused_until limit 1`;
  return row?.until ?? null;
}

export type PauseEndRow = Pick<Contact, "seq" | "email"> & { readonly workspace: number };

/** Contacts whose pause has ended, the oldest first, locked until this transaction ends. */
export function lockPausesEnded(tx: Tx, most: number): Promise<PauseEndRow[]> {
  return tx.all`
    select seq, email, workspace from contacts where paused_until is not null and paused_until <= ${tx.now}
    order by paused_until limit ${most}${tx.dialect.skipLocked}`;
}
