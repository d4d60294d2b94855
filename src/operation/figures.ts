// The page of figures for Prometheus: what was counted, and what is measured at each scrape.
import { iso, MINUTE_MS } from "../clock.ts";
import { lastBackups } from "../backup/queries.ts";
import type { Stream } from "../backup/room.ts";
import { healthOf } from "../backup/stream/health.ts";
import type { RelayState } from "../delivery/reachability.ts";
import type { Ground } from "../ground.ts";
import { gauge } from "../metrics/metric.ts";
import { seenIn } from "../store/clock-queries.ts";
import { heldSince } from "../store/hold.ts";
import type { Reader } from "../store/store.ts";
import { measureBacklog } from "../retention/backlog.ts";
import { storeSize } from "../store/space.ts";
import { build } from "../version.ts";
import { measureProcess } from "./process-figures.ts";
import { countFailingDomains, dueIn, mailsWaiting, nextSlotMs, QUEUE_NAMES, workspaceIds } from "./figure-queries.ts";

const BUILD = gauge("posthorn_build_info", "What runs here; always 1.", "version", "commit", "engine", "schema");
const STARTED = gauge("process_start_time_seconds", "When the process began, in seconds since 1970.");
const WAITING = gauge("posthorn_queue_mails", "Mails that are not settled, held ones too.", "lane");
const DUE = gauge("posthorn_due", "Work whose time has come.", "queue");
const OLDEST = gauge("posthorn_due_oldest_seconds", "For how long the oldest work has been due; 0 = none is.", "queue");
const RATE = gauge("posthorn_rate_limit_per_second", "Mails a second at most; absent = no limit.");
const NEXT_SLOT = gauge("posthorn_rate_next_slot_seconds", "Until the rate lets the next mail leave; 0 = now.");
const CLOCK = gauge("posthorn_clock_in_doubt", "1 = what goes by the date waits until the clock is believed.");
const HELD = gauge("posthorn_held", "1 = the installation is held: no mail leaves until posthorn release.");
const RELAY = gauge("posthorn_relay_reachable", "1 = the next hop answers, 0 = it is away; absent = not tried yet.");
const FAILING = gauge("posthorn_domains_failing", "Verified sender domains whose DNS record is gone.");
const BACKUP = gauge("posthorn_backup_last_success_seconds", "When the last backup was made, in seconds since 1970.");
const STREAM_LAG = gauge("posthorn_stream_lag_seconds", "How old the oldest change is that was not shipped yet.");
const STREAM_WAITING = gauge("posthorn_stream_waiting_bytes", "What waits for the place of the stream.");
const STREAM_WORKS = gauge(
  "posthorn_stream_works",
  "1 = every change since the start can be restored; 0 = no copy is there yet, it fails or is a minute behind, or another server ships there.",
);
const STORE = gauge("posthorn_store_bytes", "The size of the database, and of the log beside it.", "part");
const FREE = gauge("posthorn_disk_free_bytes", "Room left where the database is.");

/** Lanes from 10 on are those of a disabled workspace, from 20 on those of a campaign that stands still, and so on. */
const LANES = ["transactional", "marketing"] as const;

/** So many may have failed since one was made. */
const MOST_BACKUPS = 100;
/** More frequent requests get the last measurement. */
const MEASURED_FOR_MS = 5_000;

export type FiguresOptions = {
  readonly ground: Ground;
  readonly relay: () => RelayState;
  /** Null: nothing is shipped. */
  readonly stream: Stream | null;
};

export class Figures {
  readonly #options: FiguresOptions;
  readonly #startedMs: number;
  #measuredMs = -Infinity;
  #backlogMs = -Infinity;
  #measuring: Promise<void> | null = null;
  #ids: ReadonlyMap<string, string> = new Map();

  constructor(options: FiguresOptions) {
    this.#options = options;
    this.#startedMs = options.ground.clock.nowMs();
  }

  async text(): Promise<string> {
    const { clock, metrics, store } = this.#options.ground;
    if (clock.monotonicMs() - this.#measuredMs >= MEASURED_FOR_MS)
      await (this.#measuring ??= store
        .read((reader) => this.#measure(reader), { longFor: 0 })
        .finally(() => (this.#measuring = null)));
    measureProcess(metrics);
    return metrics.text((workspace) => this.#ids.get(workspace) ?? workspace);
  }

  async #measure(reader: Reader): Promise<void> {
    const { metrics, clock, config, engine, schema } = this.#options.ground;
    const { version, commit } = build();
    metrics.set(BUILD, 1, version, commit, engine, String(schema));
    metrics.set(STARTED, this.#startedMs / 1000);
    await this.#measureQueues(reader);
    const { database, log, space } = await storeSize(reader, config);
    metrics.set(STORE, database, "database");
    if (space !== null) metrics.set(STORE, log, "log");
    if (space !== null && space.freeBytes !== null) metrics.set(FREE, space.freeBytes);
    const backup = (await lastBackups(reader, MOST_BACKUPS)).find(({ bytes }) => bytes !== null);
    if (backup) metrics.set(BACKUP, Date.parse(backup.startedAt) / 1000);
    await this.#measureStream();
    metrics.set(CLOCK, (await seenIn(reader)).doubtedAt === null ? 0 : 1);
    metrics.set(HELD, (await heldSince(reader)) === null ? 0 : 1);
    await this.#measureBacklog(reader);
    metrics.set(FAILING, await countFailingDomains(reader));
    if (metrics.withWorkspaces)
      this.#ids = new Map((await workspaceIds(reader)).map(({ seq, id }) => [String(seq), id]));
    this.#measuredMs = clock.monotonicMs();
  }

  async #measureStream(): Promise<void> {
    const { ground, stream } = this.#options;
    const state = await stream?.state();
    if (!state) return;
    ground.metrics.set(STREAM_LAG, state.lagMs / 1000);
    ground.metrics.set(STREAM_WAITING, state.waitingBytes);
    ground.metrics.set(STREAM_WORKS, healthOf(state) === "FOLLOWING" ? 1 : 0);
  }

  /** Seldom: there may be many workspaces. */
  async #measureBacklog(reader: Reader): Promise<void> {
    const { clock } = this.#options.ground;
    if (clock.monotonicMs() - this.#backlogMs < MINUTE_MS) return;
    await measureBacklog(reader, this.#options.ground);
    this.#backlogMs = clock.monotonicMs();
  }

  async #measureQueues(reader: Reader): Promise<void> {
    const { metrics, clock, config } = this.#options.ground;
    const { relay } = this.#options;
    await this.#measureMails(reader);
    for (const queue of QUEUE_NAMES) {
      const due = await dueIn(reader, queue, iso(clock.nowMs()));
      const oldestMs = Math.min(clock.nowMs(), ...due.map(({ oldestAt }) => Date.parse(oldestAt)));
      metrics.set(DUE, sum(due.map(({ count }) => count)), queue);
      metrics.set(OLDEST, (clock.nowMs() - oldestMs) / 1000, queue);
    }
    if (config.delivery.ratePerSecond > 0) {
      metrics.set(RATE, config.delivery.ratePerSecond);
      metrics.set(NEXT_SLOT, Math.max(0, (await nextSlotMs(reader)) - clock.steadyNowMs()) / 1000);
    }
    const { state } = relay();
    if (state !== "UNKNOWN") metrics.set(RELAY, state === "ANSWERING" ? 1 : 0);
  }

  /** Those of each workspace where that is asked for. */
  async #measureMails(reader: Reader): Promise<void> {
    const { metrics } = this.#options.ground;
    const waiting = await mailsWaiting(reader);
    metrics.forget(WAITING);
    if (!metrics.withWorkspaces) for (const lane of [...LANES, "held"]) metrics.set(WAITING, 0, lane);
    for (const { workspace, lane, mails } of waiting)
      metrics.count({ metric: WAITING, by: mails, labels: [LANES[lane] ?? "held"], workspace });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
