// The SQL of the record of backups.
import type { Reader, Tx } from "../../store/store.ts";

export type BackupRow = {
  readonly seq: number;
  readonly startedAt: string;
  /** Null: it is being made, or the process that made it has died. */
  readonly endedAt: string | null;
  readonly name: string;
  readonly bytes: number | null;
  /** Why it failed, in words. */
  readonly error: string | null;
};

export async function lastBackups(reader: Reader, most: number): Promise<readonly BackupRow[]> {
  return reader.all<BackupRow>`
    select seq, started_at as "startedAt", ended_at as "endedAt", name, bytes, error from backups order by seq desc limit ${most}`;
}

/** Backups by hand leave the schedule as it is: they may lie on this very disk. */
export async function lastScheduled(reader: Reader): Promise<BackupRow | null> {
  return reader.get<BackupRow>`
    select seq, started_at as "startedAt", ended_at as "endedAt", name, bytes, error from backups
    where scheduled = 1 order by seq desc limit 1`;
}

/** One node at a time decides whether a backup is due. */
export async function holdInstallation(tx: Tx): Promise<void> {
  await tx.get`select one from installation where one = 1${tx.dialect.forUpdate}`;
}

export async function insertStarted(tx: Tx, name: string, scheduled: 0 | 1): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into backups (started_at, name, scheduled) values (${tx.now}, ${name}, ${scheduled}) returning seq`;
  return (row as { seq: number }).seq;
}

export async function updateMade(tx: Tx, seq: number, bytes: number): Promise<void> {
  await tx.run`update backups set ended_at = ${tx.now}, bytes = ${bytes} where seq = ${seq}`;
}

export async function updateFailed(tx: Tx, seq: number, error: string): Promise<void> {
  await tx.run`update backups set ended_at = ${tx.now}, error = ${error} where seq = ${seq}`;
}

export async function deleteOldest(tx: Tx, most: number): Promise<void> {
  await tx.run`delete from backups where seq <= (select max(seq) from backups) - ${most}`;
}
