// The SQL of workflows that a schedule starts.
import type { Reader, Tx } from "../../../store/store.ts";

export type DueSchedule = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly firesAt: string;
  /** The last contact that was started; 0 = none yet. */
  readonly firedTo: number;
  readonly segment: number | null;
};

/** A due firing, locked until this transaction ends. */
export function takeFiring(tx: Tx): Promise<DueSchedule | null> {
  return tx.get<DueSchedule>`
    select seq, id, workspace, fires_at as "firesAt", fired_to as "firedTo", segment from workflows
    where fires_at is not null and fires_at <= ${tx.now} order by fires_at limit 1${tx.dialect.skipLocked}`;
}

export function setFired(tx: Tx, seq: number, firesAt: string | null, firedTo: number): Promise<number> {
  return tx.run`update workflows set fires_at = ${firesAt}, fired_to = ${firedTo} where seq = ${seq}`;
}

/** Unless its time has been changed since. */
export function deferFiring(tx: Tx, { seq, firesAt }: DueSchedule, until: string): Promise<number> {
  return tx.run`update workflows set fires_at = ${until} where seq = ${seq} and fires_at = ${firesAt}`;
}

export async function nextFiring(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ firesAt: string }>`
    select fires_at as "firesAt" from workflows where fires_at is not null order by fires_at limit 1`;
  return row?.firesAt ?? null;
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
