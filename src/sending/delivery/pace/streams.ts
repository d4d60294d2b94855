// Mail that waits for the pace of a mailbox provider, held by it: put there, swept, and claimed again.
import type { Clock } from "../../../base/clock.ts";
import { LANES, type Lane } from "../../../mail/emails/holds.ts";
import { countPaced, returnPaced, setPaced, sweepDue } from "../../../mail/emails/pace-queries.ts";
import type { MailAttempt } from "../../../mail/emails/queue-queries.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import { LONGEST_REST_MS } from "../../../base/jobs/due.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Store } from "../../../store/store.ts";
import type { ClaimedMail, Rate } from "../slots.ts";
import { claimStream, type Limit } from "./claim-stream.ts";
import { allStreams, deleteStream, isAtMailbox, keepStream, lockStream, streamOf, type MailStream } from "./queries.ts";

type StreamsOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** The limits of a lane of the stream on this way; null = no limit on any way. */
  readonly limitsOf: (stream: MailStream, lane: Lane, way: string) => readonly Limit[] | null;
  /** The order in which a lane of the stream leaves. */
  readonly placeOf: (stream: Omit<MailStream, "seq">, lane: Lane) => Sql;
};

const MOST_STREAMS = 5_000;
/** Mails of the queue that one transaction sweeps. */
const SWEEP_WINDOW = 5_000;
const MOST_RETURNED = 2_000;
/** The most mails that one claim takes from a stream, and the most streams in one step. */
const MOST_OF_STREAM = 50;
const MOST_A_STEP = 20;

/** A way out. */
export type StreamWay = Pick<Rate, "pace" | "pacer"> & {
  readonly name: string;
  /** Selects the queued mails for this way; null = all of them. */
  readonly only: Sql | null;
  /** The next hop to note on claimed mails; null = there is one way only. */
  readonly hop: number | null;
};

type StreamLanes = {
  readonly stream: MailStream;
  /** Lanes with mail that may wait, each with the moment before which none may leave, by way. */
  readonly lanes: Map<Lane, Map<string, number>>;
};

/** Signalled when a mail was put into a stream. */
export const STREAM_FILLED = "a stream has mail";

export class Streams {
  readonly #options: StreamsOptions;
  readonly #waiting = new Map<number, StreamLanes>();
  readonly #toSweep = new Map<number, MailStream>();

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  get isNone(): boolean {
    return this.#waiting.size === 0;
  }

  /** Loads the streams of the store. */
  async load(): Promise<void> {
    const { store } = this.#options;
    const streams = await store.read((reader) => allStreams(reader, MOST_STREAMS));
    const known = new Set(streams.map(({ seq }) => seq));
    for (const seq of this.#waiting.keys()) if (!known.has(seq)) this.#waiting.delete(seq);
    for (const stream of streams) this.#mayWait(stream);
  }

  /** The limits may have changed. */
  lookAgain(): void {
    for (const { lanes } of this.#waiting.values()) for (const nextAtMs of lanes.values()) nextAtMs.clear();
  }

  /** Puts a claimed mail into a stream, without counting an attempt. */
  async put(mail: MailAttempt, lane: Lane, key: Omit<MailStream, "seq">): Promise<void> {
    const { store, placeOf } = this.#options;
    const stream = await store.write(async (tx) => {
      const row = await streamOf(tx, key);
      await setPaced(tx, mail, row.seq, placeOf(key, lane));
      notifyChange(tx, "mails", key.workspace);
      tx.signal(STREAM_FILLED);
      return row;
    });
    this.#mayWait(stream);
    this.#toSweep.set(stream.seq, stream);
  }

  /** Moves due mails that belong to a filled stream into it, a bounded number. Answers whether there may be more. */
  async sweep(): Promise<boolean> {
    const { store, placeOf, limitsOf } = this.#options;
    for (const stream of this.#toSweep.values()) {
      const { workspace, domain, mailbox, seq } = stream;
      const isTheirs = isAtMailbox(mailbox);
      const lanes = LANES.filter((lane) => limitsOf(stream, lane, "") !== null);
      const moved = await store.write(async (tx) => {
        // A stream may have ended meanwhile: its mails would never be claimed.
        if ((await keepStream(tx, seq)) === null) return 0;
        let count = 0;
        for (const lane of lanes) {
          const place = placeOf(stream, lane);
          count += await sweepDue(tx, { lane, workspace, stream: seq, domain, isTheirs, place }, SWEEP_WINDOW);
        }
        return count;
      });
      if (moved === 0) this.#toSweep.delete(seq);
      else this.#mayWait(stream);
      if (moved > 0) return true;
    }
    return false;
  }

  /** Claims for a way the mails that may leave by now; answers the wait until the next one. */
  async claim(way: StreamWay, most: number): Promise<{ mails: readonly ClaimedMail[]; restMs: number }> {
    const nowMs = this.#options.clock.monotonicMs();
    const mails: ClaimedMail[] = [];
    const rests = [LONGEST_REST_MS];
    let steps = MOST_A_STEP;
    for (const [seq, waiting] of [...this.#waiting]) {
      for (const lane of LANES) {
        const nextAtMs = waiting.lanes.get(lane);
        if (!nextAtMs) continue;
        const leftMs = (nextAtMs.get(way.name) ?? -Infinity) - nowMs;
        if (leftMs > 0 || steps === 0 || mails.length >= most) {
          rests.push(Math.max(leftMs, BUSY_MS));
          // Marketing mail takes no slot for which transactional mail waits.
          break;
        }
        steps--;
        rests.push(await this.#claimLane(waiting, lane, { way, most: most - mails.length, mails }));
      }
      // The next step begins with another stream.
      this.#waiting.delete(seq);
      if (waiting.lanes.size > 0) this.#waiting.set(seq, waiting);
      else await this.#end(waiting.stream);
    }
    return { mails, restMs: Math.min(...rests) };
  }

  async #claimLane(
    { stream, lanes }: StreamLanes,
    lane: Lane,
    to: { readonly way: StreamWay; readonly most: number; readonly mails: ClaimedMail[] },
  ): Promise<number> {
    const { store, clock, leaseMs, limitsOf } = this.#options;
    const { name, only, hop, ...rate } = to.way;
    const { mails } = to;
    const limits = limitsOf(stream, lane, name);
    if (limits === null) {
      const returned = await store.write((tx) => returnPaced(tx, stream.seq, lane, MOST_RETURNED));
      if (returned < MOST_RETURNED) lanes.delete(lane);
      return returned > 0 ? 0 : BUSY_MS;
    }
    const most = Math.min(MOST_OF_STREAM, to.most);
    const terms = { ...rate, stream, lane, limits, only, hop, clock, leaseMs, most };
    const claimed = await store.write((tx) => claimStream(tx, terms));
    mails.push(...claimed.mails);
    if (claimed.isEmpty && (only === null || (await this.#isEmpty(stream, lane)))) lanes.delete(lane);
    const restMs = claimed.isEmpty ? LONGEST_REST_MS : claimed.restMs;
    lanes.get(lane)?.set(name, clock.monotonicMs() + restMs);
    return restMs;
  }

  /** Checks for mails of all ways together. */
  async #isEmpty({ seq }: MailStream, lane: Lane): Promise<boolean> {
    return (await this.#options.store.read((reader) => countPaced(reader, seq, lane, 1))) === 0;
  }

  /** Forgets a stream that is empty. */
  async #end(stream: MailStream): Promise<void> {
    const { store } = this.#options;
    const isGone = await store.write(async (tx) => {
      if ((await lockStream(tx, stream.seq)) === null) return true;
      for (const lane of LANES) if ((await countPaced(tx, stream.seq, lane, 1)) > 0) return false;
      return (await deleteStream(tx, stream.seq)) > 0;
    });
    if (!isGone) this.#mayWait(stream);
  }

  #mayWait(stream: MailStream): void {
    const known = this.#waiting.get(stream.seq) ?? { stream, lanes: new Map() };
    for (const lane of LANES) if (!known.lanes.has(lane)) known.lanes.set(lane, new Map());
    this.#waiting.set(stream.seq, known);
  }
}

/** Wait until there is room again. */
const BUSY_MS = 20;
