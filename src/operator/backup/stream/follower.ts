// Ships the log of a store after each commit: reads it continuously, cuts it into segments and writes them to the
// destination in order.
import { join } from "node:path";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, systemClock } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import { LogReader } from "../../../store/sqlite/log.ts";
import { openPlace, type BackupPlace } from "../place.ts";
import { Chain } from "./chain.ts";
import { segmentOf } from "./names.ts";
import { sayAlive, type StandbyReport } from "./owner.ts";
import { StreamOwnership } from "./ownership.ts";
import { pruneStream } from "./prune.ts";
import { shipSnapshot } from "./snapshot.ts";
import { Spool } from "./spool.ts";
import { withinTime } from "./within-time.ts";
import type { StreamReport } from "./told.ts";

export type FollowerOptions = {
  readonly config: Config;
  readonly path: string;
  readonly schema: number;
  /** The database file, open for reading. */
  readonly database: number;
};

/**
 * `snapshotAt`: since when this server's changes can be restored; null = not yet. `refused`: another server ships to
 * this destination.
 */
export type StreamState = {
  readonly lagMs: number;
  readonly waitingBytes: number;
  readonly snapshotAt: string | null;
  readonly isRefused: boolean;
  readonly error: string | null;
  readonly standby: StandbyReport | null;
};

const TICK_MS = 250;

/** A large database may take that long to a distant destination. */
const LONGEST_SNAPSHOT_MS = 6 * HOUR_MS;

const GUARD_MS = 5_000;

const SNAPSHOT_AGAIN_MS = MINUTE_MS;

const LONGEST_PUT_MS = 30_000;

/** At the end of the process. */
const LONGEST_END_MS = 3_000;

const MOST_WAITING_BYTES = 1024 * 1024 * 1024;

const LAG_TO_WARN_MS = MINUTE_MS;

export class StreamShipper {
  readonly #place: BackupPlace;
  readonly #spool: Spool;
  readonly #ownership: StreamOwnership;
  #reader: LogReader | null = null;
  #chain: Chain | null = null;
  #snapshotDueMs = 0;
  #isMakingSnapshot = false;
  #snapshotAt: string | null = null;
  #error: string | null = null;
  #isBehind = false;
  #isLate = false;
  #shipping: Promise<void> | null = null;
  #guarding: Promise<void> | null = null;
  #timers: Timer[] = [];

  constructor(
    private readonly options: FollowerOptions,
    private readonly tell: (told: StreamReport) => void,
  ) {
    const { config } = options;
    this.#place = openPlace(config.backup, config.backup.stream as string);
    this.#spool = new Spool(join(config.data.dir, "stream-spool"));
    this.#ownership = new StreamOwnership(this.#place, config.data.dir, tell);
  }

  /** From here on nothing is missed. */
  begin(): void {
    this.#follow();
    this.#timers = [setInterval(() => this.#tick(), TICK_MS), setInterval(() => this.#guard(), GUARD_MS)];
    this.#guard();
  }

  /** Resolves once the destination has named its owner for the first time, or has failed to. */
  async looked(): Promise<void> {
    await this.#guarding;
  }

  get state(): StreamState {
    const oldestMs = this.#spool.oldestAtMs ?? this.#chain?.firstAtMs ?? null;
    return {
      lagMs: oldestMs === null ? 0 : Math.max(0, systemClock.nowMs() - oldestMs),
      waitingBytes: this.#spool.bytes,
      snapshotAt: this.#snapshotAt,
      isRefused: this.#ownership.isRefused,
      error: this.#error,
      standby: this.#ownership.standby,
    };
  }

  /** Has read all that is committed: the log may be copied back as far, and start over. */
  catchUp(): void {
    try {
      this.#chain?.read();
      if (this.#spool.bytes > MOST_WAITING_BYTES) this.#giveUp("too much waits for the place of the stream");
    } catch (error) {
      this.#giveUp(wordsOf(error));
    }
  }

  /** Ships the remaining segments, if that is possible soon, and releases the log. */
  async end(): Promise<void> {
    this.#timers.splice(0).forEach((timer) => clearInterval(timer));
    this.catchUp();
    await withinTime(this.#shipAll(), LONGEST_END_MS).catch((error) =>
      this.#say("warn", "the stream ends before its place has everything", error),
    );
    this.#releaseLog();
  }

  async #shipAll(): Promise<void> {
    await this.#guarding;
    await this.#chain?.cut();
    await this.#shipping;
    if (!this.#ownership.isOurs) return;
    await this.#ship();
    if (this.#error !== null) throw new Error(this.#error);
    await sayAlive(this.#place, null);
  }

  #follow(): void {
    const { path, config } = this.options;
    this.#reader = new LogReader(path);
    const isSealed = config.backup.passphrase !== null || config.backup.recipient !== null;
    this.#chain = new Chain({ reader: this.#reader, spool: this.#spool, clock: systemClock, isSealed });
    this.#snapshotDueMs = 0;
    this.#snapshotAt = null;
    this.catchUp();
  }

  /** Waiting segments can no longer follow one another: once the destination answers, the stream begins anew. */
  #giveUp(reason: string): void {
    this.#releaseLog();
    this.tell({ level: "error", text: "the stream is broken off; it begins anew with a snapshot", fields: { reason } });
  }

  #releaseLog(): void {
    this.#chain = null;
    this.#reader?.close();
    this.#reader = null;
    this.#spool.clear();
  }

  #tick(): void {
    this.catchUp();
    this.#warnOfLag();
    this.#isLate = this.#spool.bytes > 0;
    Promise.resolve(this.#isLate ? undefined : this.#chain?.cut())
      .then(() => (this.#ownership.isOurs ? this.#ship() : undefined))
      .catch((error) => this.#giveUp(wordsOf(error)));
    this.#makeSnapshotIfDue();
  }

  #ship(): Promise<void> {
    return (this.#shipping ??= this.#shipWaiting().finally(() => (this.#shipping = null)));
  }

  async #shipWaiting(): Promise<void> {
    try {
      for (let one = this.#spool.first(); one; one = this.#spool.first()) {
        await withinTime(this.#place.putBytes(one.name, one.bytes), LONGEST_PUT_MS);
        this.#spool.remove(one.name);
      }
      this.#error = null;
    } catch (error) {
      this.#error = wordsOf(error);
      return;
    }
    // Changes that arrived while a slow destination took the last segment do not wait for the next tick as well.
    if (this.#isLate) setImmediate(() => this.#timers.length > 0 && this.#tick());
  }

  #guard(): void {
    this.#guarding ??= this.#makeSure()
      .catch((error) => void (this.#error = wordsOf(error)))
      .finally(() => (this.#guarding = null));
  }

  async #makeSure(): Promise<void> {
    await this.#ownership.makeSure();
    if (this.#ownership.isRefused) return this.#releaseLog();
    if (this.#chain === null) this.#follow();
    await this.#ownership.lookForStandby();
  }

  #makeSnapshotIfDue(): void {
    const isDue = systemClock.monotonicMs() >= this.#snapshotDueMs;
    if (!this.#chain || !isDue || this.#isMakingSnapshot || !this.#ownership.isOurs) return;
    this.#isMakingSnapshot = true;
    this.#makeSnapshot(this.#chain)
      .then(() => (this.#snapshotDueMs = systemClock.monotonicMs() + DAY_MS))
      .catch((error) => {
        this.#snapshotDueMs = systemClock.monotonicMs() + SNAPSHOT_AGAIN_MS;
        this.#say("error", "the stream could not make a snapshot; it is tried again", error);
      })
      .finally(() => (this.#isMakingSnapshot = false));
  }

  async #makeSnapshot(chain: Chain): Promise<void> {
    const { config, schema, database } = this.options;
    const { generation, key, from } = chain;
    const shipped = () => this.#shippedBy(chain);
    const shipping = shipSnapshot({ config, schema, database, generation, key, from, shipped });
    const at = await withinTime(shipping, LONGEST_SNAPSHOT_MS);
    if (chain !== this.#chain) return;
    this.#snapshotAt = at;
    this.tell({ level: "info", text: "the stream has a new snapshot", fields: { at } });
  }

  /** Removes files past their retention; answers how many. */
  async prune(): Promise<number> {
    if (!this.#chain || this.#snapshotAt === null) return 0;
    const since = iso(systemClock.nowMs() - this.options.config.backup.streamDays * DAY_MS);
    return pruneStream(this.#place, since, this.#chain.generation);
  }

  async #shippedBy(chain: Chain): Promise<number> {
    this.catchUp();
    const last = await chain.cut();
    for (;;) {
      if (chain !== this.#chain) throw new Error("The stream was broken off.");
      const first = this.#spool.first();
      if (!first || (segmentOf(first.name)?.sequence ?? 0) > last) return last;
      await Bun.sleep(TICK_MS / 2);
    }
  }

  #warnOfLag(): void {
    const { lagMs, waitingBytes } = this.state;
    const isBehind = lagMs > LAG_TO_WARN_MS;
    if (isBehind && !this.#isBehind)
      this.tell({ level: "warn", text: "the stream is behind", fields: { lagMs, waitingBytes, reason: this.#error } });
    if (!isBehind && this.#isBehind) this.tell({ level: "info", text: "the stream has caught up", fields: {} });
    this.#isBehind = isBehind;
  }

  #say(level: StreamReport["level"], text: string, error: unknown): void {
    this.tell({ level, text, fields: { reason: wordsOf(error) } });
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
