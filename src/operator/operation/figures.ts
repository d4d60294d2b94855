// The page of figures for Prometheus: counters, and values measured at each scrape.
import { iso, MINUTE_MS } from "../../base/clock.ts";
import type { BackupStream } from "../backup/room.ts";
import type { RelayState } from "../../sending/open-ways/way-choice.ts";
import { countBrakes } from "../../sending/delivery/pace/queries.ts";
import type { Heap } from "../../mail/emails/queue/holds.ts";
import type { Ground } from "../../ground/ground.ts";
import { gauge } from "../../base/metrics/metric.ts";
import type { Reader } from "../../store/store.ts";
import { measureBacklog } from "../retention/backlog.ts";
import { storeSize } from "../../store/space.ts";
import { build } from "../../base/version.ts";
import { measureCondition } from "./condition-figures.ts";
import { measureProcess } from "./process-figures.ts";
import { dueIn, mailsWaiting, nextSlotMs, QUEUE_NAMES, workspaceIds } from "./figure-queries.ts";

const BUILD = gauge("posthorn_build_info", "What runs here; always 1.", "version", "commit", "engine", "schema");
const STARTED = gauge("process_start_time_seconds", "When the process began, in seconds since 1970.");
const READY = gauge("posthorn_ready", "1 = GET /ready says that the server can do its work.");
const STUCK = gauge(
  "posthorn_loops_stuck",
  "Background loops busy with one step for five minutes; GET /ready names them.",
);
const WAITING = gauge("posthorn_queue_mails", "Emails that are not settled, held ones too.", "lane");
const BRAKES = gauge(
  "posthorn_brakes",
  "Mailbox providers that are sent less email, by workspace and sending route.",
  "state",
);
const DUE = gauge("posthorn_due", "Work whose time has come.", "queue");
const OLDEST = gauge("posthorn_due_oldest_seconds", "For how long the oldest work has been due; 0 = none is.", "queue");
const RATE = gauge("posthorn_rate_limit_per_second", "Emails a second at most; absent = no limit.");
const NEXT_SLOT = gauge("posthorn_rate_next_slot_seconds", "Until the rate lets the next email leave; 0 = now.");
const RELAY = gauge("posthorn_relay_reachable", "1 = the next hop answers, 0 = it is away; absent = not tried yet.");
const WAY = gauge(
  "posthorn_way_usable",
  "1 = email may leave by this sending route; absent = there is only one, or it is paused.",
  "way",
);
const STORE = gauge("posthorn_store_bytes", "The size of the database, and of the log beside it.", "part");

const LANE_NAMES = ["transactional", "marketing"] as const;

/** More frequent requests get the last measurement. */
const MEASURED_FOR_MS = 5_000;

export type FiguresOptions = {
  readonly ground: Ground;
  readonly relay: () => RelayState;
  /** Null: nothing is shipped. */
  readonly stream: BackupStream | null;
  /** As GET /ready. */
  readonly isReady: () => Promise<boolean>;
  readonly stuckLoops: () => readonly string[];
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

  /** While the store does not answer, its figures stay as they were, and `posthorn_ready` is 0. */
  async text(): Promise<string> {
    const { ground, isReady, stuckLoops } = this.#options;
    const { clock, metrics } = ground;
    if (clock.monotonicMs() - this.#measuredMs >= MEASURED_FOR_MS)
      await (this.#measuring ??= this.#measureAll().finally(() => (this.#measuring = null)));
    metrics.set(READY, (await isReady()) ? 1 : 0);
    metrics.set(STUCK, stuckLoops().length);
    measureProcess(metrics);
    return metrics.text((workspace) => this.#ids.get(workspace) ?? workspace);
  }

  async #measureAll(): Promise<void> {
    const { store, log } = this.#options.ground;
    await store
      .read((reader) => this.#measure(reader), { longFor: 0 })
      .catch((error) => log.debug("the store could not be measured", { error }));
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
    await measureCondition(reader, this.#options);
    await this.#measureBacklog(reader);
    if (metrics.withWorkspaces)
      this.#ids = new Map((await workspaceIds(reader)).map(({ seq, id }) => [String(seq), id]));
    this.#measuredMs = clock.monotonicMs();
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
    const brakes = await countBrakes(reader, iso(clock.nowMs()));
    metrics.set(BRAKES, brakes.all - brakes.paused, "slowed");
    metrics.set(BRAKES, brakes.paused, "paused");
    for (const queue of QUEUE_NAMES) {
      const due = await dueIn(reader, queue, iso(clock.nowMs()));
      const oldestMs = Math.min(clock.nowMs(), ...due.map(({ oldestAt }) => Date.parse(oldestAt)));
      metrics.set(DUE, totalOfAll(due.map(({ count }) => count)), queue);
      metrics.set(OLDEST, (clock.nowMs() - oldestMs) / 1000, queue);
    }
    metrics.forget(RATE);
    metrics.forget(NEXT_SLOT);
    if (config.delivery.ratePerSecond > 0) {
      metrics.set(RATE, config.delivery.ratePerSecond);
      metrics.set(NEXT_SLOT, Math.max(0, (await nextSlotMs(reader)) - clock.steadyNowMs()) / 1000);
    }
    const { state, ways } = relay();
    if (state !== "UNKNOWN") metrics.set(RELAY, state === "ANSWERING" ? 1 : 0);
    metrics.forget(WAY);
    for (const way of ways.filter(({ isPaused }) => !isPaused))
      metrics.set(WAY, way.circuit === "OPEN" || way.isStalled ? 0 : 1, way.name);
  }

  /** By workspace where the configuration has it so. */
  async #measureMails(reader: Reader): Promise<void> {
    const { metrics } = this.#options.ground;
    const waiting = await mailsWaiting(reader);
    metrics.forget(WAITING);
    if (!metrics.withWorkspaces) for (const lane of [...LANE_NAMES, "paced", "held"]) metrics.set(WAITING, 0, lane);
    for (const { workspace, mails, ...heap } of waiting)
      metrics.count({ metric: WAITING, by: mails, labels: [labelOf(heap)], workspace });
  }
}

function labelOf({ lane, hold }: Heap): string {
  return hold === null ? LANE_NAMES[lane] : hold === "pace" ? "paced" : "held";
}

function totalOfAll(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
