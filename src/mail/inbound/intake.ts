// The intake of messages from outside, some at a time: claimed with a lease, read on a separate thread, settled once.
//
// - A message's bytes are written once: the content takes them over by a reference.
// - A message that keeps the thread busy for fifteen seconds of processor time stops it. All messages in hand are then
//   read again, each on a second thread, alone: only one that stops this thread as well is to blame. It is counted, and
//   mail is kept unread; a notice, which cannot be kept, is read again for days. A message is given up after the
//   processes of ten attempts have ended. Large messages have their own queue.
// - `from` and DMARC's domain come from one reading of the header (reading/header.ts), so the event names the author who was
//   judged.
// - A stranger cannot exhaust a resource: DNS questions, signatures, hops, parts and seconds are all bounded.
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, type Clock } from "../../base/clock.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import type { RecordSettings } from "../../tenant/domains/dns-records.ts";
import { domainReportedTo } from "../../tenant/domains/queries.ts";
import { reportTokenIn } from "../../tenant/domains/report-address.ts";
import type { ReportMail } from "../reports/take.ts";
import { NOTHING_DUE, restUntil, SHORT_REST_MS } from "../../base/jobs/due.ts";
import { ClaimedWork } from "../../base/jobs/in-hand.ts";
import { Outcomes } from "../../base/jobs/outcomes.ts";
import { backOffMs } from "../../base/jobs/retry.ts";
import { FairQueue } from "../../base/brakes/fair-queue.ts";
import type { Log } from "../../base/log.ts";
import type { Store } from "../../store/store.ts";
import { nextTurnAt, takeInTurn } from "../../store/turns.ts";
import type { DeliveryNotice } from "./bounces/notice.ts";
import type { Proofs } from "./bounces/take-complaint.ts";
import { isForFeedback, mayBeComplaint, settleComplaint } from "./feedback-loop.ts";
import { addresseesOf } from "./bounces/take-notice.ts";
import { SLICE_BYTES } from "./arrival.ts";
import {
  bytesOf,
  firstSlice,
  joined,
  settleEach,
  settleNotice,
  settleReport,
  settleUnread,
  type ReadingResult,
} from "./message.ts";
import { deleteUnfinished, messageQueue, deferMessage, renewMessages, type WaitingMessage } from "./queries.ts";
import { NOT_CHECKED, UNREADABLE, type ParsedMessage } from "./reading/reading.ts";
import type { ReadingThread } from "./reading-thread.ts";

type IntakeOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly thread: ReadingThread;
  /** A second thread, for messages that failed on the first: there they cannot harm others. */
  readonly quarantine: ReadingThread;
  /** A third, for reports, which may unpack to much: mail does not wait for them. */
  readonly reports: ReadingThread;
  readonly returnPath: ReturnPathOptions;
  readonly mailOfPixel: Proofs["mailOfPixel"];
  readonly settings: () => RecordSettings;
  /** The hosts that mail is handed to, and that may report on it. */
  readonly carriers: () => readonly string[];
  readonly leaseMs: number;
};

const MAX_IN_HAND = 32;
/** Messages that arrive within this time are claimed together, and messages read within it are recorded together. */
export const GATHER_MS = 20;
/**
 * Messages that wait for the quarantine, and reports for their turn, do not count against others, up to this number
 * each.
 */
const MAX_WAITING = 64;
/** They spend most of the time on looking up the names of addresses. */
const REPORTS_AT_ONCE = 4;
/** A message is given up after the processes of so many attempts have ended. */
const MAX_ATTEMPTS = 10;

const UNREAD: ParsedMessage = { contents: UNREADABLE, verdicts: NOT_CHECKED };
const UNREAD_REPORT: ReportMail = { read: { fault: "time" }, sender: null, isForged: false, hosts: {} };
const UNREAD_NOTICE: DeliveryNotice = { kind: "unknown", recipients: [] };

export class Intake {
  readonly #options: IntakeOptions;
  readonly inHand = new ClaimedWork(GATHER_MS);
  readonly #outcomes: Outcomes<ReadingResult, null>;
  readonly #large = new FairQueue(1);
  readonly #quarantined = new FairQueue(1);
  readonly #reports = new FairQueue(REPORTS_AT_ONCE);

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#outcomes = new Outcomes((read) => options.store.writeTogether(settleEach, read), GATHER_MS);
  }

  /** Claims as many messages as there is room for and begins to read them; answers the wait until the next claim. */
  async step(): Promise<number> {
    const { store, clock, leaseMs } = this.#options;
    const waiting = [this.#quarantined, this.#reports].map((queue) => Math.min(MAX_WAITING, queue.waiting));
    const room = MAX_IN_HAND + waiting.reduce((sum, one) => sum + one) - this.inHand.size;
    if (room <= 0) return NOTHING_DUE;
    const shares = this.inHand.shares(room);
    const nextAt = await store.read((reader) => nextTurnAt(reader, "messages", shares.without));
    const restMs = restUntil(nextAt, clock.nowMs());
    if (restMs > 0) return restMs;
    const claimed = await store.write((tx) => takeInTurn(tx, messageQueue(iso(tx.nowMs + leaseMs)), room, shares));
    for (const message of claimed) this.inHand.take(message.seq, () => this.#work(message), message.workspace ?? 0);
    if (claimed.length === 0) return SHORT_REST_MS;
    return claimed.length < room / 4 ? GATHER_MS : 0;
  }

  /** Renews the leases of messages in hand; answers how long they are safe. */
  async renew(): Promise<number> {
    const { store, leaseMs } = this.#options;
    const seqs = this.inHand.keys;
    if (seqs.length > 0) await store.write((tx) => renewMessages(tx, seqs, iso(tx.nowMs + leaseMs)));
    return NOTHING_DUE;
  }

  async #work(message: WaitingMessage): Promise<void> {
    const { store, log } = this.#options;
    try {
      if (!message.isWhole) await store.write((tx) => deleteUnfinished(tx, message.seq));
      else await this.#read(message);
    } catch (error) {
      const waitMs = isForWorkspace(message) ? backOffMs(message.attempts) : noticeWaitMs(message.attempts);
      log.warn("an inbound message could not be read; trying again later", { error });
      await store.write((tx) => deferMessage(tx, message, iso(tx.nowMs + waitMs))).catch(() => undefined);
    }
  }

  /**
   * Large messages are read one by one, so that they take little memory; so are messages that may have stopped a
   * thread.
   */
  async #read(message: WaitingMessage): Promise<void> {
    const whose = message.workspace ?? 0;
    if (message.attempts > 1) return this.#quarantined.run(() => this.#readWhole(message), { owner: whose });
    const first = await this.#options.store.read((reader) => firstSlice(reader, message.seq));
    if (!first) return;
    if (first.length < SLICE_BYTES) return this.#readAndSettle(message, joined([first]));
    return this.#large.run(() => this.#readWhole(message, first), { owner: whose });
  }

  async #readWhole(message: WaitingMessage, begun?: Uint8Array): Promise<void> {
    const { store } = this.#options;
    const first = begun ?? (await store.read((reader) => firstSlice(reader, message.seq)));
    if (first) await this.#readAndSettle(message, await bytesOf(store, message.seq, first));
  }

  async #readAndSettle(message: WaitingMessage, raw: Uint8Array): Promise<void> {
    const { store, clock, returnPath } = this.#options;
    const startedMs = clock.monotonicMs();
    if (!isForWorkspace(message)) {
      const { sender, recipients } = message.envelope;
      const addressees = await store.read((reader) => addresseesOf(reader, recipients, returnPath));
      const arrival = {
        envelope: message.envelope,
        carriers: this.#options.carriers(),
        nowMs: Date.parse(message.receivedAt),
      };
      const notice = await this.#readBy(message, UNREAD_NOTICE, (thread) =>
        thread.notice(raw, { sender, addressees }, arrival),
      );
      return store.write((tx) => settleNotice(tx, message, notice, returnPath));
    }
    if (await this.#isReport(message)) return this.#readReport(message, raw);
    if (isForFeedback(message) && mayBeComplaint(raw) && (await this.#tookComplaint(message, raw.slice()))) return;
    const { envelope, receivedAt } = message;
    const reading = await this.#outcomes.whileOnItsWay(() =>
      this.#readBy(message, UNREAD, (thread) => thread.read(raw, envelope, Date.parse(receivedAt))),
    );
    await this.#outcomes.record({ message, reading, tookMs: clock.monotonicMs() - startedMs });
  }

  async #tookComplaint(message: WaitingMessage, raw: Uint8Array): Promise<boolean> {
    const { store, returnPath, mailOfPixel } = this.#options;
    const { envelope, receivedAt } = message;
    const complaint = await this.#readBy(message, null, (thread) =>
      thread.complaint(raw, envelope, Date.parse(receivedAt)),
    );
    const proofs = { secrets: returnPath.secrets, mailOfPixel };
    return complaint !== null && store.write((tx) => settleComplaint(tx, message, complaint, proofs));
  }

  /**
   * The port keeps reports apart from mail; an address that only looks like a report address is an ordinary mailbox.
   */
  async #isReport({ envelope: { recipients } }: WaitingMessage): Promise<boolean> {
    const [token = null] = recipients.map(reportTokenIn);
    if (token === null) return false;
    return (await this.#options.store.read((reader) => domainReportedTo(reader, token))) !== null;
  }

  /** Some at a time, workspaces in turn. A large report has a place in a queue already, in which others wait for it. */
  #readReport(message: WaitingMessage, raw: Uint8Array): Promise<void> {
    const { store, settings, reports } = this.#options;
    const { envelope, receivedAt } = message;
    const bytes = raw.length;
    const read = async () => {
      const first = message.attempts === 1 ? reports : undefined;
      const mail = await this.#readBy(message, UNREAD_REPORT, (thread) =>
        (first ?? thread).report(raw, envelope, Date.parse(receivedAt)),
      );
      await store.write((tx) => settleReport(tx, { message, mail, bytes }, settings()));
    };
    return bytes < SLICE_BYTES ? this.#reports.run(read, { owner: message.workspace ?? 0 }) : read();
  }

  /**
   * Answers `unread` for mail that is unreadable even alone, and after too many attempts.
   * @throws Error for a message to be read again
   */
  async #readBy<Result>(
    message: WaitingMessage,
    unread: Result,
    read: (thread: ReadingThread) => Promise<Result>,
  ): Promise<Result> {
    const { store, thread, quarantine, log } = this.#options;
    if (message.attempts > MAX_ATTEMPTS) {
      log.error("an inbound message was tried to be read too often; it is given up", { attempts: message.attempts });
      return unread;
    }
    try {
      return await read(message.attempts === 1 ? thread : quarantine);
    } catch (error) {
      if (message.attempts === 1) throw error;
      await store.write((tx) => settleUnread(tx, message));
      if (!isForWorkspace(message)) throw error;
      log.warn("an inbound message cannot be read; it is kept unread", { error });
      return unread;
    }
  }
}

const AGAIN_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS] as const;

/** Soon alone, and then for a week: another version of this server may be able to read it. */
function noticeWaitMs(attempts: number): number {
  return attempts === 1 ? backOffMs(attempts) : (AGAIN_MS[attempts - 2] ?? DAY_MS);
}

/** All others are notices, to our return paths. */
function isForWorkspace(message: WaitingMessage): message is ReadingResult["message"] {
  return message.workspace !== null;
}
