// The SQL of the stored counts of contacts: counting a million rows takes too long.
import { loader } from "../../store/loads.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

/**
 * Rows over which a workspace's counts are spread: few enough to sum, and enough that concurrent transactions seldom
 * meet in one.
 */
const SHARDS = 64;

const shards = new WeakMap<Tx, number>();

/** One shard for each transaction: two transactions that each added to several rows could wait for each other. */
function shardOf(tx: Tx): number {
  const shard = shards.get(tx) ?? Math.floor(Math.random() * SHARDS);
  shards.set(tx, shard);
  return shard;
}

type Addition = { readonly workspace: number; readonly total: number; readonly subscribed: number };

const add = loader<Addition, void>({
  stage: "note",
  ask: async (tx, additions) => {
    const byWorkspace = [...Map.groupBy(additions, ({ workspace }) => workspace)].sort(([one], [other]) => one - other);
    const added = byWorkspace.map(([workspace, theirs]) => {
      const sumOfAdditions = (what: "total" | "subscribed") => theirs.reduce((so, one) => so + one[what], 0);
      return tx.run`
        insert into contact_counts (workspace, shard, total, subscribed)
        values (${workspace}, ${shardOf(tx)}, ${sumOfAdditions("total")}, ${sumOfAdditions("subscribed")})
        on conflict (workspace, shard) do update
        set total = contact_counts.total + excluded.total, subscribed = contact_counts.subscribed + excluded.subscribed`;
    });
    await Promise.all(added);
    return [];
  },
});

/** Accompanies every statement that creates or removes contacts, or changes their flag. */
export function addToCounts(tx: Tx, workspace: number, by: Omit<Addition, "workspace">): Promise<void> {
  return add(tx, { workspace, ...by });
}

/** `subscribed`: null = all contacts. */
export async function keptCount(reader: Reader, workspace: number, subscribed: boolean | null): Promise<number> {
  const what = subscribed === null ? sql`total` : subscribed ? sql`subscribed` : sql`total - subscribed`;
  const row = await reader.get<{ count: number }>`
    select cast(coalesce(sum(${what}), 0) as bigint) as count from contact_counts where workspace = ${workspace}`;
  return row?.count ?? 0;
}

/** Counts the contacts of a workspace that has no count yet. */
export function countArrived(tx: Tx, workspace: number): Promise<number> {
  return tx.run`
    insert into contact_counts (workspace, shard, total, subscribed)
    select cast(${workspace} as bigint), 0, count(*), coalesce(sum(subscribed), 0) from contacts where workspace = ${workspace}`;
}
