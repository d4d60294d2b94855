// The SQL of how far pruning has come in each workspace.
import type { Reader, Tx } from "../store/store.ts";

export type Place = { readonly workspace: number; readonly kind: string };
type Reached = { readonly reached: number; readonly begunAt: string };

/** Null = nothing has been pruned there yet. */
export function reachedIn(reader: Reader, { workspace, kind }: Place): Promise<Reached | null> {
  return reader.get<Reached>`
    select reached, begun_at as "begunAt" from prunings where workspace = ${workspace} and kind = ${kind}`;
}

/** Never back: another process may be ahead. A workspace that was deleted just now has no place any more. */
export function setReached(tx: Tx, { workspace, kind }: Place, reached: number): Promise<number> {
  return tx.run`
    insert into prunings (workspace, kind, reached, begun_at)
    select seq, ${kind}, ${reached}, cast(${tx.now} as text) from workspaces where seq = ${workspace}
    on conflict (workspace, kind) do update set reached = excluded.reached where prunings.reached < excluded.reached`;
}

/** To be gone through again from the first row on. */
export function setBegun(tx: Tx, { workspace, kind }: Place): Promise<number> {
  return tx.run`update prunings set reached = 0, begun_at = ${tx.now} where workspace = ${workspace} and kind = ${kind}`;
}
