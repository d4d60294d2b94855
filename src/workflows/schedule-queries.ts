// The SQL of workflows that start by the clock.
import type { Reader, Tx } from "../store/store.ts";
import { workspaceBySeq } from "../workspaces/queries.ts";

/** Keeps a firing that is under way. */
export function setSchedule(tx: Tx, seq: number, segment: number | null, firesAt: string | null): Promise<number> {
  return tx.run`
    update workflows set segment = ${segment}, fires_at = coalesce(fires_at, ${firesAt}) where seq = ${seq}`;
}

export type FiringRow = {
  readonly seq: number;
  readonly id: string;
  readonly fires_at: string;
  readonly fired_to: number;
  readonly segment: number | null;
  readonly trigger_config: string;
  readonly disabled_at: string | null;
};

/** One whose moment has come; it is this transaction's until that is over. */
export async function takeFiring(tx: Tx): Promise<FiringRow | null> {
  const row = await tx.get<Omit<FiringRow, "disabled_at"> & { workspace: number }>`
    select seq, id, workspace, fires_at, fired_to, segment, trigger_config from workflows
    where fires_at is not null and fires_at <= ${tx.now} order by fires_at limit 1${tx.dialect.skipLocked}`;
  if (!row) return null;
  const workspace = await workspaceBySeq(tx, row.workspace);
  return { ...row, disabled_at: workspace?.disabled_at ?? null };
}

export function setFired(tx: Tx, seq: number, firesAt: string | null, firedTo: number): Promise<number> {
  return tx.run`update workflows set fires_at = ${firesAt}, fired_to = ${firedTo} where seq = ${seq}`;
}

/** Unless it has been given another time meanwhile. */
export function postpone(
  tx: Tx,
  { seq, fires_at }: Pick<FiringRow, "seq" | "fires_at">,
  firesAt: string,
): Promise<number> {
  return tx.run`update workflows set fires_at = ${firesAt} where seq = ${seq} and fires_at = ${fires_at}`;
}

export async function nextFiring(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ fires_at: string }>`
    select fires_at from workflows where fires_at is not null order by fires_at limit 1`;
  return row?.fires_at ?? null;
}

export function membersAfter(
  reader: Reader,
  segment: number,
  after: number,
  most: number,
): Promise<{ contact: number }[]> {
  return reader.all`
    select contact from segment_members where segment = ${segment} and contact > ${after} order by contact limit ${most}`;
}
