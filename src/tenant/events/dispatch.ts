// From the outbox to the consumers: each row is given to every consumer once and removed in the same transaction. Rows
// are seen when they are committed, so the order in which transactions end does not matter, and several processes take
// different rows.
//
// A row that a consumer cannot process is found by taking the rows of its batch one by one, is deferred, and is parked
// after six attempts with an error in the log; the rest goes on. A reader who must see the consequences of changes (a
// segment's members) calls `catchUp` first.
import { iso, type Clock } from "../../base/clock.ts";
import { Batches, type BatchWork } from "../../base/jobs/batches.ts";
import { restUntil, SHORT_REST_MS } from "../../base/jobs/due.ts";
import { backOffMs } from "../../base/jobs/retry.ts";
import type { Log } from "../../base/log.ts";
import { json } from "../../store/columns.ts";
import type { Store, Tx } from "../../store/store.ts";
import { inTurn, nextTurnAt, type TurnQueue } from "../../store/turns.ts";
import type { EventNotice } from "./happened.ts";
import {
  eventsNumbered,
  hasUndispatched,
  OUTBOX,
  deferEntry,
  type DispatchedEvent,
  type OutboxEntry,
} from "./outbox.ts";

/** An event, or a change without an event, with its subjects. */
export type Occurrence = {
  readonly workspace: number;
  readonly subjects: readonly string[];
  readonly contact: number | null;
  /** Null for a change without an event. */
  readonly event: DispatchedEvent | null;
  /** A notice for endpoints alone. */
  readonly notice: EventNotice | null;
};

/** Acts on occurrences with `tx` alone: a call over the network is written down for a loop to make. */
export type Consumer = {
  readonly name: string;
  readonly consume: (tx: Tx, occurrences: readonly Occurrence[]) => Promise<void>;
};

type DispatcherOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** In the order of their work. */
  readonly consumers: readonly Consumer[];
  /** The outbox for segments and workflows, unless given. */
  readonly queue?: TurnQueue<OutboxEntry>;
  /** The number of rows in one transaction. */
  readonly most?: number;
};

const MAX_ROWS_A_BATCH = 100;
const MAX_ATTEMPTS = 6;
const MAX_CATCH_UP_MS = 1_000;
/** Between checks while another process has rows in hand. */
const CATCH_UP_REST_MS = 10;

/** Processes the consequences of a workspace's changes up to now, so that callers read their own writes. */
export type CatchUp = (workspace: number) => Promise<void>;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #queue: TurnQueue<OutboxEntry>;
  readonly #due: Batches<Tx, OutboxEntry>;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#queue = options.queue ?? OUTBOX;
    this.#due = this.#batches(inTurn(this.#queue, (tx, rows) => this.#give(tx, rows)));
  }

  #batches(work: Pick<BatchWork<Tx, OutboxEntry>, "take" | "work">): Batches<Tx, OutboxEntry> {
    const park = (row: OutboxEntry, error: unknown) => this.#park(row, error);
    return new Batches(this.#options.store, this.#options.most ?? MAX_ROWS_A_BATCH, { ...work, park });
  }

  /** Dispatches one batch; answers how long there will be no rows to dispatch. */
  async step(): Promise<number> {
    const { store, clock } = this.#options;
    const restMs = restUntil(await store.read((reader) => nextTurnAt(reader, this.#queue.name)), clock.nowMs());
    if (restMs > 0) return restMs;
    return (await this.#due.runBatch()) ? 0 : SHORT_REST_MS;
  }

  /**
   * Dispatches the waiting rows of a workspace, so that the next read sees their consequences; gives up after a second.
   */
  async catchUp(workspace: number): Promise<void> {
    const { store, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const waits = () => store.read((reader) => hasUndispatched(reader, workspace, iso(clock.nowMs())));
    const theirs = this.#batches({
      take: (tx, most) => OUTBOX.take(tx, workspace, most),
      work: (tx, rows) => this.#give(tx, rows),
    });
    while (clock.monotonicMs() - startedMs < MAX_CATCH_UP_MS && (await waits()))
      if (!(await theirs.runBatch())) await new Promise((resolve) => setTimeout(resolve, CATCH_UP_REST_MS));
  }

  async #give(tx: Tx, rows: readonly OutboxEntry[]): Promise<void> {
    const events = await eventsNumbered(
      tx,
      rows.flatMap(({ event }) => event ?? []),
    );
    // The event of an erased contact is deleted, and has no consequences.
    const left = rows.filter(({ event }) => event === null || events.has(event));
    const occurrences = left.map((row) => ({
      workspace: row.workspace,
      subjects: row.subjects,
      contact: row.contact,
      event: row.event === null ? null : (events.get(row.event) as DispatchedEvent),
      notice: row.notice === null ? null : json<EventNotice>(row.notice),
    }));
    if (occurrences.length === 0) return;
    for (const consumer of this.#options.consumers) await consumer.consume(tx, occurrences);
  }

  /** Defers the row, and parks it in the end. */
  async #park(row: OutboxEntry, error: unknown): Promise<void> {
    const attempts = row.attempts + 1;
    const isParked = attempts >= MAX_ATTEMPTS;
    await this.#options.store.write((tx) => deferEntry(tx, row, isParked ? null : iso(tx.nowMs + backOffMs(attempts))));
    const what = { outbox: row.seq, subjects: row.subjects, attempts, error };
    if (isParked) this.#options.log.error("an event or change could not be dispatched and is parked", what);
    else this.#options.log.warn("an event or change could not be dispatched; trying again later", what);
  }
}
