// The hand-over of a claimed mail, from its last check to its recorded outcome.
//
// - What may keep it from leaving: guards.ts.
// - A mail that waited for a connection, or for memory (`in_hand_bytes`) if it is large, is read and checked again.
// - A mail that a way surely has not taken, through a fault of the way, goes to the next one immediately: other-ways.ts.
import { domainOf } from "../../base/addresses.ts";
import { iso, MINUTE_MS } from "../../base/clock.ts";
import { release } from "../../mail/emails/email.ts";
import { kindOf } from "../../mail/emails/queue/queued.ts";
import type { MailToSend } from "../../mail/emails/queries.ts";
import { mailBySeq } from "../../mail/emails/sending-queries.ts";
import { Outcomes } from "../../base/jobs/outcomes.ts";
import type { Log } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics/metrics.ts";
import { UnreadableError } from "../../base/secrets.ts";
import type { BatchHandler } from "../../store/store.ts";
import { handoverOf, type FeedbackFor, type HandoverOptions } from "../carrier/handover.ts";
import { SharedParts, type LargeParts } from "../carrier/large-parts.ts";
import type { CarrierResult } from "../carrier/carrier.ts";
import { HANDOVERS, HANDOVER_SECONDS } from "./figures.ts";
import { handoverLine } from "./handover-line.ts";
import { setMailsPerSession } from "../open-ways/hop-queries.ts";
import { AT_ITS_SLOT, BEFORE_CONNECTION, verdictOf, WHEN_READ, type GuardOptions } from "./guards.ts";
import { OtherWays, type MailDeparture } from "./other-ways.ts";
import { persistently } from "./persistently.ts";
import { bytesOf, takeOut, withoutTexts, type ReadMails } from "./read-mails.ts";
import { settleEach, type HandoverAttempt, type MailOutcome, type RetryPlan, type MailSettlement } from "./settle.ts";
import { keepSenderNews } from "../open-ways/sender-news.ts";
import { WaitingSenders } from "../open-ways/waiting-senders.ts";
import type { OpenWay } from "../open-ways/open-way.ts";

export type HandingOverOptions = HandoverOptions &
  FeedbackFor &
  GuardOptions & {
    readonly log: Log;
    readonly metrics: Metrics;
    readonly leaseMs: number;
    /** Whether lines of the log may name recipients. */
    readonly withAddresses: boolean;
    readonly retry: RetryPlan;
    /** The longest time that an outcome waits to be recorded with others. */
    readonly gatherMs: number;
    /** Mails in hand have left room. */
    readonly tellRoom: () => void;
    /** A mail got through, with any outcome. */
    readonly onCarried: () => void;
  };

/** Until an unreadable DKIM key is tried again: the operator has to restore it. */
const WITHOUT_KEY_MS = 10 * MINUTE_MS;
/** Smaller mails need no room of their own. */
const SMALL_BYTES = 256 * 1024;
/** An older reading may be out of date: an unsubscribe wins over the queue. */
const FRESH_MS = 1_000;

export type HandoverClaim = {
  readonly seq: number;
  readonly workspace: number;
  readonly way: OpenWay;
  /** The moment at which it may leave. */
  readonly atMs: number;
  /** A moment before the claim. */
  readonly sinceMs: number;
  /** The mails of the same claim. */
  readonly read: ReadMails;
  /** The mail has waited for the pace of its mailbox provider. */
  readonly isPaced?: true;
};

/** The reading for the previous way may be out of date. */
const NOT_READ = { sinceMs: -Infinity, read: Promise.resolve(new Map<number, MailToSend>()) } as const;

const nothing = () => undefined;

export class HandingOver {
  readonly #options: HandingOverOptions;
  readonly #parts: SharedParts;
  readonly #outcomes: Outcomes<MailOutcome, MailSettlement>;
  readonly #otherWays: OtherWays;
  readonly waiting: WaitingSenders;

  constructor(options: HandingOverOptions) {
    this.#options = options;
    this.#parts = new SharedParts(options.store);
    this.waiting = new WaitingSenders(options);
    this.#otherWays = new OtherWays(options, this.waiting);
    const settle: BatchHandler<MailOutcome, MailSettlement> = (tx, outcomes) => settleEach(tx, outcomes, options.retry);
    this.#outcomes = new Outcomes((outcome) => options.store.writeTogether(settle, outcome), options.gatherMs);
  }

  /** Mails that have left and are not recorded yet. */
  get unrecorded(): number {
    return this.#outcomes.unrecorded;
  }

  /** Hands one mail over and records its outcome. */
  async settle(claimed: HandoverClaim): Promise<void> {
    const { claims, log } = this.#options;
    const { seq, sinceMs } = claimed;
    claims.took(seq, sinceMs);
    try {
      const departed = await this.#handOver(claimed);
      if (departed) await this.#record(departed);
    } catch (error) {
      log.error("an email in hand could not be settled; its lease will run out", { error });
    } finally {
      claims.settled(seq);
    }
  }

  async #handOver(claimed: HandoverClaim): Promise<MailDeparture | null> {
    const { seq, workspace, way } = claimed;
    const giveBack = await this.#giveBackUnlessHeld(claimed);
    if (giveBack === null) return null;
    const departed = await way.has(() => this.#through(claimed));
    if (departed === null) giveBack();
    if (departed === null || departed.attempted.outcome.kind === "accepted") return departed;
    const through = (next: OpenWay, atMs: number) =>
      next.has(() => this.#through({ seq, workspace, way: next, atMs, ...NOT_READ }));
    return this.#otherWays.tryFor(departed, { through, giveBack });
  }

  /** Null = the mail waits for its pace; else, gives back what the pace has counted for the mail. */
  async #giveBackUnlessHeld({ seq, way, read, isPaced }: HandoverClaim): Promise<(() => void) | null> {
    const mail = (await read).get(seq);
    if (!mail) return nothing;
    if (isPaced) return this.#options.pacing.givesBack(mail, way.options.name);
    const verdict = await verdictOf(BEFORE_CONNECTION, mail, { options: this.#options, way, parts: null });
    return verdict === null ? nothing : null;
  }

  /**
   * Null if the mail is no longer ours, or may not leave. A large mail gives its connection back until there is memory
   * for it.
   */
  async #through({ seq, workspace, way, atMs, sinceMs, read }: HandoverClaim): Promise<MailDeparture | null> {
    const { store, clock, tellRoom } = this.#options;
    const again = () => store.read((reader) => mailBySeq(reader, seq, iso(clock.nowMs())));
    const first = await way.connections.run(workspace, async () => {
      const claimed = await takeOut(read, seq);
      const mail = await this.#toLeave(clock.monotonicMs() - sinceMs < FRESH_MS ? claimed : await again(), way);
      const size = mail ? await bytesOf(store, mail) : 0;
      return size > SMALL_BYTES ? size : this.#carry(mail, { way, atMs });
    });
    tellRoom();
    if (typeof first !== "number") return first;
    const carry = async () => this.#carry(await this.#toLeave(await again(), way), { way, atMs });
    const departed = await way.connections.runLarge(workspace, first, carry);
    tellRoom();
    return departed;
  }

  /** Null if the mail is no longer ours, or may not leave. */
  async #toLeave(mail: MailToSend | null, way: OpenWay): Promise<MailToSend | null> {
    if (!mail) return null;
    const verdict = await verdictOf(WHEN_READ, mail, { options: this.#options, way, parts: null });
    return verdict === null ? mail : null;
  }

  async #carry(mail: MailToSend | null, by: Pick<HandoverClaim, "way" | "atMs">): Promise<MailDeparture | null> {
    if (!mail) return null;
    await this.#waitUntil(by.atMs);
    const { way } = by;
    const attempted = await this.#outcomes.whileOnItsWay(() =>
      this.#parts.use(mail, (parts) => this.#carried(mail, parts, way)),
    );
    this.#options.onCarried();
    return attempted && { mail: withoutTexts(mail), attempted, way };
  }

  /** Null if the mail does not leave. */
  async #carried(mail: MailToSend, parts: LargeParts, way: OpenWay): Promise<HandoverAttempt | null> {
    const { clock } = this.#options;
    const { hop } = way.options;
    const verdict = await verdictOf(AT_ITS_SLOT, mail, { options: this.#options, way, parts });
    if (verdict === "kept") return null;
    if (verdict !== null) return { outcome: verdict, subject: mail.subject, tookMs: 0, hop };
    const startedMs = clock.monotonicMs();
    const tookMs = () => Math.round(clock.monotonicMs() - startedMs);
    try {
      return { ...(await this.#sent(mail, parts, way)), tookMs: tookMs(), hop };
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

  async #sent(mail: MailToSend, parts: LargeParts, way: OpenWay): Promise<CarrierResult> {
    const { clock, claims, pacing } = this.#options;
    const { carriers, rewrittenFields, sentAlong } = way.options;
    const receiver = pacing.receiverOf(domainOf(mail.toAddress));
    const attemptedAtMs = mail.attemptedAt === null ? clock.nowMs() : Date.parse(mail.attemptedAt);
    const feedbackAddress = mail.kind === "MARKETING" ? await this.#options.feedbackAddressFor(mail) : null;
    const terms = { ...this.#options, rewrittenFields, sentAlong, feedbackAddress };
    const handover = handoverOf(mail, parts, attemptedAtMs, terms);
    const carried = await way.use(receiver, () => carriers.send(handover, claims.holdOf(mail.seq)), mail.domain);
    if (way.senderNews.size > 0) await keepSenderNews(this.#options.store, way, mail);
    return carried;
  }

  /** The mail waits until the key is back, and no attempt is used up. */
  async #withoutKey(mail: MailToSend): Promise<null> {
    const { store, log } = this.#options;
    log.error("the DKIM key of an email's domain cannot be read; it waits", { id: mail.id, selector: mail.selector });
    await store.write((tx) => release(tx, mail, iso(tx.nowMs + WITHOUT_KEY_MS)));
    return null;
  }

  async #record({ mail, attempted: answered, way }: MailDeparture): Promise<void> {
    const { leaseMs, metrics, log, pacing } = this.#options;
    const { transport, relay, name } = way.options;
    const { outcome } = answered;
    if (outcome.kind !== "accepted" && outcome.isTakenOver) return;
    const isRefused = outcome.kind === "failed";
    // A mail refused for our address waits for the provider's rest to end, and uses an attempt.
    const waits = isRefused && (await pacing.learn(mail, name, outcome));
    const attempted = waits ? { ...answered, outcome: { ...outcome, kind: "later" as const } } : answered;
    const settled = await persistently(leaseMs, () => this.#outcomes.record({ mail, attempted }));
    const labels = [settled, transport, kindOf(mail.sourceType)];
    metrics.count({ metric: HANDOVERS, labels, workspace: mail.workspace });
    metrics.observe(HANDOVER_SECONDS, attempted.tookMs / 1000, settled);
    if (!isRefused) await pacing.learn(mail, name, outcome);
    if (outcome.mailsPerSession !== undefined) await this.#limited(way, outcome.mailsPerSession);
    log.debug("hand-over", () => handoverLine(mail, attempted, { ...this.#options, outcome: settled, relay }));
  }

  /** Logged once for each number, and kept for the doctor. */
  async #limited(way: OpenWay, mailsPerSession: number): Promise<void> {
    const { store, log } = this.#options;
    const { hop } = way.options;
    if (hop === null || mailsPerSession === way.mailsPerSession) return;
    way.mailsPerSession = mailsPerSession;
    if (await store.write((tx) => setMailsPerSession(tx, hop, mailsPerSession)))
      log.info("the relay takes no more emails than this a session; sessions end before that", { mailsPerSession });
  }

  #waitUntil(atMs: number): Promise<void> {
    const waitMs = atMs - this.#options.clock.steadyNowMs();
    return waitMs > 0 ? new Promise((resolve) => setTimeout(resolve, waitMs)) : Promise.resolve();
  }
}
