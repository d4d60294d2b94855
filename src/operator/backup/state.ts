// The health of backups: the last ones, and their faults.
import type { Config } from "../../base/config.ts";
import type { BackupRow } from "./queries.ts";

export type BackupState = {
  readonly lastAt: string | null;
  readonly lastError: string | null;
  /** Null = no backups are scheduled. */
  readonly everySeconds: number | null;
};

/** `rows`: the newest first. */
export function backupOf({ backup }: Config, rows: readonly BackupRow[]): BackupState {
  const made = rows.find(({ endedAt, error }) => endedAt !== null && error === null);
  return { lastAt: made?.startedAt ?? null, lastError: rows[0]?.error ?? null, everySeconds: backup.everySeconds };
}

/** FAILED: the last backup failed. NONE: none has been made yet. LATE: one or more are missing. Null = no fault. */
export type BackupFault = "FAILED" | "NONE" | "LATE";

export function backupFault({ lastAt, lastError, everySeconds }: BackupState, nowMs: number): BackupFault | null {
  if (lastError !== null) return "FAILED";
  if (everySeconds === null) return null;
  if (lastAt === null) return "NONE";
  return Date.parse(lastAt) < nowMs - 2 * everySeconds * 1000 ? "LATE" : null;
}

/** In words; null = no fault. */
export function backupProblem(backup: BackupState, nowMs: number): string | null {
  const texts = {
    FAILED: `The last backup failed: ${backup.lastError}`,
    NONE: "No backup has been made yet.",
    LATE: `The last backup was made at ${backup.lastAt}.`,
  };
  const fault = backupFault(backup, nowMs);
  return fault && texts[fault];
}
