// Scheduled backups: one of the nodes makes each when it is due, and deletes the oldest.
import { iso, MINUTE_MS } from "../../base/clock.ts";
import type { Ground } from "../../ground/ground.ts";
import { SETTINGS_FOLLOWED } from "../../ground/settings/settings.ts";
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import type { Store, Tx } from "../../store/store.ts";
import { startBackup, type BackupRun } from "./backup.ts";
import { backupName, noteOutcome, removeOld } from "./kept.ts";
import { openPlace } from "./place.ts";
import { holdInstallation, insertStarted, lastScheduled, type BackupRow } from "./queries.ts";

/** A place that cannot be reached is tried again sooner than the next backup is due. */
const AFTER_FAILURE_MS = 15 * MINUTE_MS;

type ScheduleGround = Pick<Ground, "config" | "store" | "clock" | "log">;

export class Schedule {
  /** It rests while `backup.every` is not set. */
  readonly loop: LoopSpec = {
    name: "backup",
    step: () => this.#step(),
    wokenBy: SETTINGS_FOLLOWED,
    mayTakeLong: true,
    goesByDate: true,
  };
  #making: BackupRun | null = null;

  constructor(private readonly ground: ScheduleGround) {}

  /** A backup that is being made is given up. */
  async stop(): Promise<void> {
    await this.#making?.stop();
  }

  async #step(): Promise<number> {
    const { config, store, clock } = this.ground;
    if (config.backup.everySeconds === null) return NOTHING_DUE;
    const madeAt = iso(clock.nowMs());
    const isEncrypted = config.backup.passphrase !== null || config.backup.recipient !== null;
    const name = backupName(madeAt, isEncrypted);
    const turn = await store.write((tx) => this.#begun(tx, name));
    if (turn.restMs > 0) return Math.min(turn.restMs);
    await this.#make(store, { seq: turn.seq, name, madeAt });
    return MINUTE_MS;
  }

  async #begun(tx: Tx, name: string): Promise<{ seq: number; restMs: number }> {
    await holdInstallation(tx);
    const restMs = this.#dueAtMs(await lastScheduled(tx)) - tx.nowMs;
    return { restMs, seq: restMs > 0 ? 0 : await insertStarted(tx, name, 1) };
  }

  /** A process that died in the middle has left no outcome; that is a failure as well. */
  #dueAtMs(last: BackupRow | null): number {
    if (!last) return 0;
    const isMade = last.endedAt !== null && last.error === null;
    const everyMs = (this.ground.config.backup.everySeconds ?? 0) * 1000;
    const restMs = isMade ? everyMs : Math.min(everyMs, AFTER_FAILURE_MS);
    return Date.parse(last.startedAt) + restMs;
  }

  async #make(store: Store, { seq, name, madeAt }: { seq: number; name: string; madeAt: string }): Promise<void> {
    const { config, log } = this.ground;
    try {
      const place = openPlace(config.backup);
      this.#making = startBackup({
        config,
        madeAt,
        seal: config.backup,
        target: { kind: "place", to: config.backup.to as string, name },
      });
      const { databaseBytes } = await this.#making.done;
      await noteOutcome(store, seq, { bytes: databaseBytes });
      const removed = await removeOld(place, config.backup.keep);
      log.info("backup made", { name, databaseBytes, removed });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error("the backup failed; it is tried again", { name, reason });
      await noteOutcome(store, seq, { error: reason });
    } finally {
      this.#making = null;
    }
  }
}
