// Transactions that wait, on PostgreSQL.
import type { Store, Tx } from "../../src/store/store.ts";

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

/** A transaction that has done its work and waits before it commits. */
export function held(store: Store, work: (tx: Tx) => Promise<unknown>) {
  const [done, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const over = store.write(async (tx) => {
    await work(tx);
    done.resolve();
    await end.promise;
  });
  return { done: done.promise, commit: () => (end.resolve(), over) };
}
