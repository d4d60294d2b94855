// The send loop: claims due mails of the queue for a way out, and starts the hand-over of each at its moment.
//
// - Workspaces take turns; one slot in ten is for marketing mail while transactional mail never ends.
// - A way's connections limit the mails in hand, and workspaces share them (connections.ts). After a crash that left
//   leases behind, mails go one by one by each way until one gets through or is only deferred: one of them may have
//   been the cause.
// - A process that has not renewed its leases for most of a lease asks the store before each mail leaves (claims.ts).
import { LANES } from "../../mail/emails/queue/holds.ts";
import { anyOf, nextMailTurns } from "../../mail/emails/queue/queue-queries.ts";
import { NOTHING_DUE, restUntil } from "../../base/jobs/due.ts";
import { ClaimedWork } from "../../base/jobs/in-hand.ts";
import type { BatchHandler } from "../../store/store.ts";
import type { Shares } from "../../store/turns.ts";
import { AfterCrash } from "./after-crash.ts";
import { claim, type Claim, type ClaimTerms } from "./claim.ts";
import { Claims } from "./claims.ts";
import { CLAIMED } from "./figures.ts";
import { HandingOver, type HandingOverOptions } from "./handing-over.ts";
import { readMails } from "./read-mails.ts";
import type { ClaimedMail } from "./limits/rate.ts";
import type { OpenWay } from "../open-ways/open-way.ts";
import type { RelayState, WayChoice } from "../open-ways/way-choice.ts";

type SendLoopOptions = Omit<HandingOverOptions, "claims" | "tellRoom" | "onCarried"> & {
  /** The previous process ended with mails in hand. */
  readonly followsCrash: boolean;
};

/** With this many mails sent and not yet recorded, no more are claimed: after a crash all of them would leave again. */
const MOST_UNRECORDED = 400;
/** Claims for connections that become free within this time are made together. */
const GATHERING_MS = 2;
/** While fewer than half are free: a claim costs as much for one mail as for many. */
const GATHERING_FEW_MS = 20;
/** Due mail waits for another way. */
const OTHERS_DUE_MS = 100;
const OWN_DUE_MS = 1_000;

type SendTurn = { readonly workspace: number; readonly restMs: number };
type ClaimCapacity = Pick<ClaimTerms, "pace" | "pacer" | "only" | "hop"> & {
  readonly room: number;
  readonly shares: Shares;
};

export class SendLoop {
  readonly #options: SendLoopOptions;
  readonly #ways: WayChoice;
  readonly #handingOver: HandingOver;
  readonly #claims: Claims;
  readonly inHand = new ClaimedWork(() => (this.#hasMuchRoom ? GATHERING_MS : GATHERING_FEW_MS));
  readonly #afterCrash: AfterCrash;
  #sinceMarketing = 0;
  /** A kind of write of its own, which has its turn beside all other writes. Claims are made one at a time. */
  readonly #claim: BatchHandler<ClaimCapacity, Claim>;

  constructor(options: SendLoopOptions) {
    this.#options = options;
    this.#ways = options.ways;
    this.#claims = new Claims(options);
    const tellRoom = () => this.inHand.tellRoom();
    this.#afterCrash = new AfterCrash(options.followsCrash);
    const onCarried = () => this.#afterCrash.end();
    this.#handingOver = new HandingOver({ ...options, claims: this.#claims, tellRoom, onCarried });
    this.#claim = (tx, claims) =>
      Promise.all(claims.map(({ room, ...terms }) => claim(tx, room, { ...options, ...terms }, this.#sinceMarketing)));
  }

  /** False while no next hop can be reached: mail waits. */
  get isGettingThrough(): boolean {
    return this.#ways.isOpen;
  }

  get relay(): RelayState {
    return this.#ways.relay;
  }

  /** Claims one batch for each way and starts its hand-over; answers the wait until the next claim. */
  async step(): Promise<number> {
    const nowMs = this.#options.clock.monotonicMs();
    const { all } = this.#ways;
    await this.#handingOver.waiting.release();
    this.#ways.look(nowMs, () => this.inHand.tellRoom());
    const waits = all.map((way) => way.waitMs(nowMs, this.#ways.isCurrent(way, nowMs)));
    const able = all.filter((way, at) => (waits[at] ?? 0) <= 0 && this.#most(way) > 0);
    const waitMs = Math.min(NOTHING_DUE, ...waits.filter((ms) => ms > 0));
    this.inHand.isRoomWanted = true;
    if (able.length === 0) return waitMs;
    const turns = await this.#turns();
    const rests = [waitMs];
    let isRoomWanted = able.length < all.length || turns.some(({ restMs }) => restMs === 0);
    for (const way of able) {
      rests.push(await this.#claimFor(way, turns));
      const paced = await this.#claimPaced(way);
      rests.push(paced.restMs);
      isRoomWanted ||= !paced.hadRoom;
    }
    this.inHand.isRoomWanted = isRoomWanted;
    return Math.min(...rests);
  }

  /** Renews the leases of mails in hand, before a third of a lease is over. */
  async renew(): Promise<number> {
    await this.#claims.renew();
    return NOTHING_DUE;
  }

  async #claimFor(way: OpenWay, turns: readonly SendTurn[]): Promise<number> {
    const { store, clock, metrics } = this.#options;
    const due = turns.filter(({ restMs }) => restMs === 0).map(({ workspace }) => workspace);
    const { room, ...shares } = way.connections.roomFor(new Set(due));
    const waiting = turns.filter(({ workspace }) => !shares.without.includes(workspace));
    const dueMs = Math.min(NOTHING_DUE, ...waiting.map(({ restMs }) => restMs));
    if (dueMs > 0 || room === 0) return dueMs || NOTHING_DUE;
    const sinceMs = clock.monotonicMs();
    const isCurrent = this.#ways.isCurrent(way, sinceMs);
    const only = this.#ways.only(way, sinceMs);
    const most = Math.min(this.#most(way), room);
    if (most <= 0) return NOTHING_DUE;
    way.connections.claiming();
    const { pacer } = way;
    const claiming = { room: most, shares, pacer, only, hop: this.#ways.noted(way), pace: way.options.pace };
    const claimed = await store.writeTogether(this.#claim, claiming);
    way.connections.claimed(claimed.mails.length);
    this.#sinceMarketing = claimed.sinceMarketing;
    metrics.count({ metric: CLAIMED, by: claimed.mails.length });
    const nowMs = clock.monotonicMs();
    way.nextSlotAtMs = nowMs + claimed.restMs;
    if (only !== null && claimed.mails.length === 0) {
      const isAll = shares.without.length === 0 && due.length < Math.min(most, this.#mostTurns);
      if (claimed.restMs === 0 && isAll && way === this.#ways.current(sinceMs)) way.foundNothing(nowMs);
      if (isCurrent) way.nextSlotAtMs = Math.max(way.nextSlotAtMs, nowMs + OTHERS_DUE_MS);
      else way.nextOwnAtMs = nowMs + OWN_DUE_MS;
      return OTHERS_DUE_MS;
    }
    this.#start(way, { mails: claimed.mails }, sinceMs);
    // A mail that leaves makes room for the next.
    return claimed.mails.length === most && claimed.restMs === 0 ? NOTHING_DUE : claimed.restMs;
  }

  /** Claims mails that waited for the pace of their mailbox provider. */
  async #claimPaced(way: OpenWay): Promise<{ readonly restMs: number; readonly hadRoom: boolean }> {
    const { pacing, clock, metrics } = this.#options;
    const sinceMs = clock.monotonicMs();
    const most = Math.min(this.#most(way), way.options.concurrency, way.connections.free);
    const only = anyOf(this.#ways.only(way, sinceMs));
    const { name, pace } = way.options;
    const claiming = { name, pace, pacer: way.pacer, only, hop: this.#ways.noted(way) };
    const { mails, restMs } = await pacing.claim(claiming, Math.max(0, most));
    metrics.count({ metric: CLAIMED, by: mails.length });
    this.#start(way, { mails, isPaced: true }, sinceMs);
    return { restMs, hadRoom: mails.length < most };
  }

  #start(way: OpenWay, { mails, ...how }: Pick<Claim, "mails"> & { readonly isPaced?: true }, sinceMs: number): void {
    const fresh = mails.filter(({ seq }) => !this.inHand.has(seq));
    const read = readMails(
      this.#options.store,
      fresh.map(({ seq }) => seq),
    );
    const settle = (mail: ClaimedMail) => this.#handingOver.settle({ ...mail, ...how, way, sinceMs, read });
    for (const mail of fresh) this.inHand.take(mail.seq, () => this.#afterCrash.during(way, () => settle(mail)));
  }

  /** The most mails that the way may get now. */
  #most(way: OpenWay): number {
    if (way.isPaused) return 0;
    if (way.isDown && !this.#ways.isSeveral) return this.inHand.size === 0 ? 1 : 0;
    if (way.isDown) return 0;
    if (this.#handingOver.unrecorded >= MOST_UNRECORDED) return 0;
    return Math.min(way.most, this.#afterCrash.mostOf(way, this.#ways.all, this.#options.clock.monotonicMs()));
  }

  get #hasMuchRoom(): boolean {
    return this.#ways.all.some(({ connections }) => connections.isHalfFree);
  }

  get #mostTurns(): number {
    return Math.max(...this.#ways.all.map(({ options: { concurrency } }) => concurrency));
  }

  /** Reads no more workspaces than there are connections: with so many due, the share of each is one. */
  async #turns(): Promise<SendTurn[]> {
    const { store, clock } = this.#options;
    const turns = await store.read((reader) =>
      Promise.all(LANES.map((lane) => nextMailTurns(reader, lane, this.#mostTurns))),
    );
    const nowMs = clock.nowMs();
    return turns.flat().map(({ workspace, dueAt }) => ({ workspace, restMs: restUntil(dueAt, nowMs) }));
  }
}
