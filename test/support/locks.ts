// Transactions that wait for each other, on PostgreSQL.
import type { Store } from "../../src/store/store.ts";

/** Until a transaction waits for a lock that another one has. */
export async function somebodyWaits(store: Store): Promise<void> {
  const waiting = () =>
    store.read(
      (reader) => reader.get`
        select 1 as waits from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where a.datname = current_database() and not l.granted limit 1`,
    );
  while ((await waiting()) === null);
}
