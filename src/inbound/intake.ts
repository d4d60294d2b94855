// Looking at messages from outside, some at a time: claimed with a lease, read on a thread of its own, settled once.
import { iso, type Clock } from "../clock.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import { LONGEST_REST_MS, restUntil, SHORT_REST_MS } from "../jobs/due.ts";
import { InHand } from "../jobs/in-hand.ts";
import { backOffMs } from "../jobs/retry.ts";
import { Turns } from "../jobs/turns.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import { bytesOf, envelopeOf, firstSlice, joined, settle, settleNotice, SLICE_BYTES } from "./message.ts";
import {
  claimMessages,
  deleteUnfinished,
  nextMessageDue,
  putOffMessage,
  renewMessages,
  type WaitingMessage,
} from "./message-queries.ts";
import type { Notice } from "./bounces/notice.ts";
import type { Readers } from "./readers.ts";
import { NOT_CHECKED, UNREADABLE, type Reading } from "./reading.ts";

export type IntakeOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly readers: Readers;
  /** A second thread, for messages over which the first has stopped: nobody else is harmed there. */
  readonly ward: Readers;
  readonly returnPath: ReturnPathOptions;
  readonly leaseMs: number;
};

const IN_HAND = 32;
/** What waits for the ward takes nobody's room, up to here. */
const IN_WARD = 64;
/** So often a process may end over a message before nobody tries to read it any more. */
const MOST_ATTEMPTS = 10;

const UNREAD: Reading = { contents: UNREADABLE, verdicts: NOT_CHECKED };
const UNREAD_NOTICE: Notice = { kind: "unknown", recipients: [] };

export class Intake {
  readonly #options: IntakeOptions;
  readonly inHand = new InHand();
  readonly #large = new Turns(1);
  readonly #ward = new Turns(1);

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** Claims what there is room for and starts on it; answers how long there will be nothing to claim. */
  async step(): Promise<number> {
    const { store, clock, leaseMs } = this.#options;
    const room = IN_HAND + Math.min(IN_WARD, this.#ward.waiting) - this.inHand.size;
    if (room <= 0) return LONGEST_REST_MS;
    const restMs = restUntil(await store.read(nextMessageDue), clock.nowMs());
    if (restMs > 0) return restMs;
    const claimed = await store.write((tx) => claimMessages(tx, room, iso(tx.nowMs + leaseMs)));
    claimed.sort((one, other) => one.seq - other.seq);
    for (const message of claimed) this.inHand.take(message.seq, () => this.#lookAt(message));
    return claimed.length > 0 ? 0 : SHORT_REST_MS;
  }

  /** Keeps what is in hand from being claimed by another process; answers how long that holds safely. */
  async renew(): Promise<number> {
    const { store, leaseMs } = this.#options;
    const seqs = this.inHand.keys;
    if (seqs.length > 0) await store.write((tx) => renewMessages(tx, seqs, iso(tx.nowMs + leaseMs)));
    return leaseMs / 3;
  }

  async #lookAt(message: WaitingMessage): Promise<void> {
    const { store, log } = this.#options;
    try {
      if (message.whole === 0) await store.write((tx) => deleteUnfinished(tx, message.seq));
      else await this.#read(message);
    } catch (error) {
      const waitMs = backOffMs(message.attempts);
      log.warn("a message from outside could not be looked at and will be tried again", { error });
      await store.write((tx) => putOffMessage(tx, message, iso(tx.nowMs + waitMs))).catch(() => undefined);
    }
  }

  /** Large messages come one by one, so that memory stays as it is; so do those over which a thread may have stopped. */
  async #read(message: WaitingMessage): Promise<void> {
    if (message.attempts > 1) return this.#ward.take(() => this.#readWhole(message));
    const first = await this.#options.store.read((reader) => firstSlice(reader, message.seq));
    if (!first) return;
    if (first.length < SLICE_BYTES) return this.#settled(message, joined([first]));
    return this.#large.take(() => this.#readWhole(message, first));
  }

  async #readWhole(message: WaitingMessage, begun?: Uint8Array): Promise<void> {
    const { store } = this.#options;
    const first = begun ?? (await store.read((reader) => firstSlice(reader, message.seq)));
    if (first) await this.#settled(message, await bytesOf(store, message.seq, first));
  }

  async #settled(message: WaitingMessage, raw: Uint8Array): Promise<void> {
    const { store, clock, returnPath } = this.#options;
    const startedMs = clock.monotonicMs();
    if (message.workspace === null) {
      const notice = await this.#found(message, UNREAD_NOTICE, (readers) => readers.notice(raw));
      return store.write((tx) => settleNotice(tx, message, notice, returnPath));
    }
    const [envelope, receivedMs] = [envelopeOf(message), Date.parse(message.received_at)];
    const reading = await this.#found(message, UNREAD, (readers) => readers.read(raw, envelope, receivedMs));
    const tookMs = clock.monotonicMs() - startedMs;
    await store.write((tx) => settle(tx, message, { reading, tookMs }));
  }

  /** `unread` stands for what cannot be read the second time either, or is not tried any more. */
  async #found<Result>(
    message: WaitingMessage,
    unread: Result,
    read: (readers: Readers) => Promise<Result>,
  ): Promise<Result> {
    if (message.attempts > MOST_ATTEMPTS) return unread;
    try {
      return await read(this.#reader(message));
    } catch (error) {
      if (message.attempts === 1) throw error;
      this.#options.log.warn("a message from outside cannot be read; it is taken as it is", { error });
      return unread;
    }
  }

  #reader({ attempts }: WaitingMessage): Readers {
    return attempts === 1 ? this.#options.readers : this.#options.ward;
  }
}
