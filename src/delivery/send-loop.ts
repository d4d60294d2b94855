// The way out of the queue: claim due mails, hand each over at its moment, settle the outcome.
//
// - Workspaces take turns; one slot in ten is for marketing mail while transactional mail never ends.
// - Just before the hand-over a mail is checked again: workspace, subscription, domain and campaign may have changed.
// - As many mails leave at once as there are connections, and workspaces share them (connections.ts). A mail that had
//   to wait for one, or for `in_hand_bytes` to have room for it if it is large, is read and checked again. After a
//   crash that left leases behind, mails go one by one until one got through: one of them may have been the cause.
// - A process that has not renewed its leases for most of a lease asks the store before each mail leaves (claims.ts).
import { iso, MINUTE_MS } from "../clock.ts";
import { release, isErased } from "../emails/email.ts";
import { kindOf } from "../emails/queued.ts";
import type { MailToSend } from "../emails/queries.ts";
import { nextMailTurns } from "../emails/queue-queries.ts";
import { mailBySeq } from "../emails/sending-queries.ts";
import { LONGEST_REST_MS, restUntil } from "../jobs/due.ts";
import { InHand } from "../jobs/in-hand.ts";
import { Outcomes } from "../jobs/outcomes.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { UnreadableError } from "../secrets.ts";
import type { Store, BatchHandler } from "../store/store.ts";
import type { Shares } from "../store/turns.ts";
import type { Carriers } from "./carrier/carriers.ts";
import { handoverOf, type HandoverOptions } from "./carrier/handover.ts";
import { SharedParts, type Parts } from "./carrier/large-parts.ts";
import { claim, type Claim, type ClaimTerms } from "./claim.ts";
import { Claims } from "./claims.ts";
import { Connections } from "./connections.ts";
import { setMailsPerSession } from "./hop-queries.ts";
import { Reachability, type RelayState } from "./reachability.ts";
import { CLAIMED, HANDOVERS, HANDOVER_SECONDS } from "./figures.ts";
import { handoverLine } from "./handover-line.ts";
import { insteadOfLeaving } from "./may-leave.ts";
import { persistently } from "./persistently.ts";
import { bytesOf, readMails, takeOut, withoutTexts, type ReadMails } from "./read-mails.ts";
import { settleEach, type Attempted, type Outcome, type RetryPlan, type Settled } from "./settle.ts";

type SendLoopOptions = HandoverOptions &
  ClaimTerms & {
    readonly store: Store;
    readonly log: Log;
    readonly metrics: Metrics;
    /** As the configuration names it. */
    readonly transport: string;
    /** Host and port of the relay, or the region of SES. */
    readonly relay: string | null;
    /** Whether lines of the log may name recipients. */
    readonly withAddresses: boolean;
    readonly carriers: Carriers;
    /** Connections to the next hop. */
    readonly concurrency: number;
    /** The most bytes of large mails in hand at once; a single one may be larger. */
    readonly inHandBytes: number;
    /** The process before this one ended with mails in hand. */
    readonly followsCrash: boolean;
    readonly retry: RetryPlan;
    /** How long an outcome may wait to be recorded with others. */
    readonly gatherMs: number;
    /** Whom mails are handed to (hop-queries.ts). */
    readonly hop: number | null;
  };

/** Until a DKIM key that could not be read is tried again: the operator has to restore it. */
const WITHOUT_KEY_MS = 10 * MINUTE_MS;
/** Smaller mails need no room of their own. */
const SMALL_BYTES = 256 * 1024;
/**
 * While so many have left that the store does not know of, nothing more is claimed: after a crash all of them would
 * leave again.
 */
const MOST_UNRECORDED = 400;

/** What was read longer ago may have changed: an unsubscribe wins over the queue. */
const FRESH_MS = 1_000;
/** Claims for connections that become free within so many milliseconds are made together. */
const GATHERING_MS = 2;

type Claimed = {
  readonly seq: number;
  readonly workspace: number;
  /** When it may leave. */ readonly atMs: number;
  /** Before the claim was asked for. */ readonly sinceMs: number;
  /** Those that were claimed with it. */ readonly read: ReadMails;
};

type Departed = { readonly mail: MailToSend; readonly attempted: Attempted };

export class SendLoop {
  readonly #options: SendLoopOptions;
  readonly #reachability: Reachability;
  /** The rate has no slot before. */
  #nextSlotAtMs = -Infinity;
  #sinceMarketing = 0;
  #mailsPerSession: number | null = null;
  readonly inHand = new InHand(GATHERING_MS);
  readonly #claims: Claims;
  readonly #parts: SharedParts;
  readonly #connections: Connections;
  readonly #outcomes: Outcomes<Outcome, Settled>;
  /** A kind of writing of its own, which has its turn whatever else is written. One is made at a time. */
  readonly #claim: BatchHandler<{ readonly room: number; readonly shares: Shares }, Claim>;
  /** After a crash with mails in hand: they are taken one by one until one got through. */
  #mayBeDeadly: boolean;

  constructor(options: SendLoopOptions) {
    this.#options = options;
    this.#claims = new Claims(options);
    this.#parts = new SharedParts(options.store);
    // What waits for a connection leaves in a burst, which each process spaces by itself (transport/spacing.ts).
    const isStrict = options.pace !== null && !options.store.exclusive;
    this.#connections = new Connections({ ...options, isStrict });
    const settle: BatchHandler<Outcome, Settled> = (tx, outcomes) => settleEach(tx, outcomes, options.retry);
    this.#outcomes = new Outcomes((outcome) => options.store.writeTogether(settle, outcome), options.gatherMs);
    this.#claim = (tx, claims) =>
      Promise.all(claims.map(({ room, shares }) => claim(tx, room, { ...options, shares }, this.#sinceMarketing)));
    this.#mayBeDeadly = options.followsCrash;
    this.#reachability = new Reachability(options.log, options.clock);
  }

  /** False while the next hop cannot be reached: mail waits. */
  get isGettingThrough(): boolean {
    return !this.#reachability.isDown;
  }

  get relay(): RelayState {
    return this.#reachability.state;
  }

  /** Claims one batch and starts its hand-over; answers how long there will be nothing to claim. */
  async step(): Promise<number> {
    const { store, clock } = this.#options;
    const startedAtMs = clock.monotonicMs();
    const waitMs = Math.max(this.#reachability.restMs(startedAtMs), this.#nextSlotAtMs - startedAtMs);
    if (waitMs > 0) return waitMs;
    const most = this.#most();
    if (most === 0) return LONGEST_REST_MS;
    const turns = await this.#turns();
    const due = turns.filter(({ restMs }) => restMs === 0).map(({ workspace }) => workspace);
    const { room, ...shares } = this.#connections.roomFor(new Set(due));
    const waiting = turns.filter(({ workspace }) => !shares.without.includes(workspace));
    const dueMs = Math.min(LONGEST_REST_MS, ...waiting.map(({ restMs }) => restMs));
    if (dueMs > 0 || room === 0) return dueMs || LONGEST_REST_MS;
    const askedAtMs = clock.monotonicMs();
    this.#connections.claiming();
    const claimed = await store.writeTogether(this.#claim, { room: Math.min(most, room), shares });
    const { mails, restMs } = claimed;
    this.#sinceMarketing = claimed.sinceMarketing;
    this.#options.metrics.count({ metric: CLAIMED, by: mails.length });
    const claimedAtMs = clock.monotonicMs();
    this.#nextSlotAtMs = claimedAtMs + restMs;
    const fresh = mails.filter(({ seq }) => !this.inHand.has(seq));
    const read = readMails(
      this.#options.store,
      fresh.map(({ seq }) => seq),
    );
    for (const mail of fresh) this.inHand.take(mail.seq, () => this.#claimed({ ...mail, sinceMs: askedAtMs, read }));
    return restMs;
  }

  /** Keeps what is in hand from being claimed by another process; answers how long that holds safely. */
  async renew(): Promise<number> {
    await this.#claims.renew();
    return this.#options.leaseMs / 3;
  }

  /** Whatever connections are free. */
  #most(): number {
    if (this.#reachability.isDown || this.#mayBeDeadly) return this.inHand.size === 0 ? 1 : 0;
    return this.#outcomes.unrecorded >= MOST_UNRECORDED ? 0 : Infinity;
  }

  /** Of no more workspaces than there are connections: with so many that are due, the share of each is one. */
  async #turns(): Promise<{ readonly workspace: number; readonly restMs: number }[]> {
    const { store, clock, concurrency } = this.#options;
    const lanes = [0, 1] as const;
    const turns = await store.read((reader) =>
      Promise.all(lanes.map((lane) => nextMailTurns(reader, lane, concurrency))),
    );
    const nowMs = clock.nowMs();
    return turns.flat().map(({ workspace, dueAt }) => ({ workspace, restMs: restUntil(dueAt, nowMs) }));
  }

  async #claimed(claimed: Claimed): Promise<void> {
    const { seq, sinceMs } = claimed;
    this.#claims.took(seq, sinceMs);
    try {
      const departed = await this.#handOver(claimed);
      if (departed) await this.#record(departed.mail, departed.attempted);
    } catch (error) {
      this.#options.log.error("an email in hand could not be settled; its lease will run out", { error });
    } finally {
      this.#claims.settled(seq);
    }
  }

  /**
   * Null if it is no longer ours, or may not leave. A large mail gives its connection back until there is memory for
   * it.
   */
  async #handOver({ seq, workspace, atMs, sinceMs, read }: Claimed): Promise<Departed | null> {
    const { store, clock } = this.#options;
    const again = () => store.read((reader) => mailBySeq(reader, seq));
    const first = await this.#connections.run(workspace, async () => {
      const claimed = await takeOut(read, seq);
      const mail = await this.#toLeave(clock.monotonicMs() - sinceMs < FRESH_MS ? claimed : await again());
      const size = mail ? await bytesOf(store, mail) : 0;
      return size > SMALL_BYTES ? size : this.#carry(mail, atMs);
    });
    this.inHand.tellRoom();
    if (typeof first !== "number") return first;
    const carry = async () => this.#carry(await this.#toLeave(await again()), atMs);
    const departed = await this.#connections.runLarge(workspace, first, carry);
    this.inHand.tellRoom();
    return departed;
  }

  /** Null if it is no longer ours, or may not leave. */
  async #toLeave(mail: MailToSend | null): Promise<MailToSend | null> {
    if (!mail || !this.#claims.isOwn(mail)) return null;
    return (await this.#mayNotLeave(mail)) ? null : mail;
  }

  async #carry(mail: MailToSend | null, atMs: number): Promise<Departed | null> {
    if (!mail) return null;
    await this.#waitUntil(atMs);
    const attempted = await this.#outcomes.whileOnItsWay(() =>
      this.#parts.use(mail, (parts) => this.#carried(mail, parts)),
    );
    this.#mayBeDeadly = false;
    return attempted && { mail: withoutTexts(mail), attempted };
  }

  /** Checked just before the hand-over: an unsubscribe wins over the queue. */
  async #mayNotLeave(mail: MailToSend): Promise<boolean> {
    // The record of any other erased mail is deleted soon, so nothing is written to it.
    if (isErased(mail) && mail.campaign === null) return true;
    const instead = insteadOfLeaving(mail, iso(this.#options.clock.nowMs()));
    if (instead) await this.#options.store.write(instead);
    return instead !== null;
  }

  /** Null if the mail and its content have been erased. */
  async #carried(mail: MailToSend, parts: Parts): Promise<Attempted | null> {
    const { carriers, clock, hop } = this.#options;
    if (parts.attachments.length < mail.attachments || (mail.messageId !== null && parts.raw === null)) return null;
    const attemptedAtMs = mail.attemptedAt === null ? clock.nowMs() : Date.parse(mail.attemptedAt);
    const startedMs = clock.monotonicMs();
    const tookMs = () => Math.round(clock.monotonicMs() - startedMs);
    try {
      const handover = handoverOf(mail, parts, attemptedAtMs, this.#options);
      return { ...(await carriers.send(handover, this.#claims.holdOf(mail.seq))), tookMs: tookMs(), hop };
    } catch (error) {
      if (error instanceof UnreadableError) return this.#withoutKey(mail);
      return {
        outcome: { kind: "later", reply: (error as Error).message, isLocal: true },
        subject: mail.subject,
        tookMs: tookMs(),
        hop,
      };
    }
  }

  /** The mail waits until the key is back, and no attempt is used up. */
  async #withoutKey(mail: MailToSend): Promise<null> {
    const { store, log } = this.#options;
    log.error("the DKIM key of an email's domain cannot be read; it waits", { id: mail.id, selector: mail.selector });
    await store.write((tx) => release(tx, mail, iso(tx.nowMs + WITHOUT_KEY_MS)));
    return null;
  }

  async #record(mail: MailToSend, carried: Attempted): Promise<void> {
    const { clock, leaseMs, metrics, transport } = this.#options;
    const { outcome } = carried;
    if (outcome.kind !== "accepted" && outcome.isTakenOver) return;
    if (outcome.kind === "unreachable" && !outcome.isLocal)
      this.#reachability.failed(clock.monotonicMs(), outcome.reply);
    else if (outcome.kind === "accepted" || !outcome.isLocal) this.#reachability.answered(clock.monotonicMs());
    const settled = await persistently(leaseMs, () => this.#outcomes.record({ mail, attempted: carried }));
    const labels = [settled, transport, kindOf(mail.sourceType)];
    metrics.count({ metric: HANDOVERS, labels, workspace: mail.workspace });
    metrics.observe(HANDOVER_SECONDS, carried.tookMs / 1000, settled);
    if (outcome.mailsPerSession !== undefined) await this.#limited(outcome.mailsPerSession);
    this.#options.log.debug("hand-over", () => handoverLine(mail, carried, { outcome: settled, ...this.#options }));
  }

  /** Said once for each number, and kept for the doctor. */
  async #limited(mailsPerSession: number): Promise<void> {
    const { store, hop, log } = this.#options;
    if (hop === null || mailsPerSession === this.#mailsPerSession) return;
    this.#mailsPerSession = mailsPerSession;
    if (await store.write((tx) => setMailsPerSession(tx, hop, mailsPerSession)))
      log.info("the relay takes no more emails than this a session; sessions end before that", { mailsPerSession });
  }

  #waitUntil(atMs: number): Promise<void> {
    const waitMs = atMs - this.#options.clock.steadyNowMs();
    return waitMs > 0 ? new Promise((resolve) => setTimeout(resolve, waitMs)) : Promise.resolve();
  }
}
