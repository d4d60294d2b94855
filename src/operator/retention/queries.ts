// The SQL of how far pruning has come in each workspace.
import type { Reader, Tx } from "../../store/store.ts";
import { RETENTION, type RetainingWorkspace } from "../../tenant/workspaces/queries.ts";
import type { RetentionKind } from "./kinds.ts";

export type RetentionRef = { readonly workspace: number; readonly kind: string };
type RetentionCursor = { readonly reached: number; readonly begunAt: string };

/** Null = nothing has been pruned there yet. */
export function reachedIn(reader: Reader, { workspace, kind }: RetentionRef): Promise<RetentionCursor | null> {
  return reader.get<RetentionCursor>`
    select reached, begun_at as "begunAt" from prunings where workspace = ${workspace} and kind = ${kind}`;
}

/** Never back: another process may be ahead. A workspace that was deleted just now has no place any more. */
export function setReached(tx: Tx, { workspace, kind }: RetentionRef, reached: number): Promise<number> {
  return tx.run`
    insert into prunings (workspace, kind, reached, furthest, begun_at)
    select seq, ${kind}, ${reached}, ${reached}, cast(${tx.now} as text) from workspaces where seq = ${workspace}
    on conflict (workspace, kind) do update set reached = excluded.reached,
      furthest = case when excluded.reached > prunings.furthest then excluded.reached else prunings.furthest end
    where prunings.reached < excluded.reached`;
}

/** The next pass begins at the first row again. */
export function setBegun(tx: Tx, { workspace, kind }: RetentionRef): Promise<number> {
  return tx.run`update prunings set reached = 0, begun_at = ${tx.now} where workspace = ${workspace} and kind = ${kind}`;
}

type OldestRow = RetainingWorkspace & { readonly oldestAt: string | null };

/** For each workspace, the moment of the first row that no pass has reached yet. */
export function firstAhead(reader: Reader, { name, rows }: Pick<RetentionKind, "name" | "rows">): Promise<OldestRow[]> {
  return reader.all<OldestRow>`
    select w.seq, w.name, ${RETENTION}, (
      select r.created_at from ${rows(reader.dialect)} and r.seq > coalesce(p.furthest, 0) order by r.seq limit 1) as "oldestAt"
    from workspaces w left join prunings p on p.workspace = w.seq and p.kind = ${name}`;
}
