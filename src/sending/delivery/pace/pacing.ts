// The pace at which each mailbox provider gets mail.
//
// - A provider that demands less mail, or takes none, has a brake for the workspace and the way out. Without a brake,
//   pacing costs nothing.
// - Mail to a braked provider is held as it comes up, with all due mail behind it, so that it
//   does not hold up other mail. Another way out does not bypass a brake.
// - From there it leaves at the pace of the brake, transactional mail first.
// - So does marketing mail of a sender domain that is warming up (src/sending/warmup), the most engaged people first.
import { MARKETING, TRANSACTIONAL, type Lane } from "../../../mail/emails/holds.ts";
import { domainOf } from "../../../base/addresses.ts";
import { DAY_MS, iso } from "../../../base/clock.ts";
import { byEngagement, IN_ORDER } from "../../../mail/emails/pace-queries.ts";
import type { MailToSend } from "../../../mail/emails/queries.ts";
import type { Ground } from "../../../ground/ground.ts";
import { LONGEST_REST_MS } from "../../../base/jobs/due.ts";
import type { LoopSpec } from "../../../base/jobs/loops.ts";
import type { Sql } from "../../../store/sql.ts";
import { Warmups } from "../../warmup/in-force.ts";
import { allowedOn, catchingUp, dueBy } from "../../warmup/plan.ts";
import { addSent, lockMailbox, takeBack, type Warmup } from "../../warmup/queries.ts";
import { isWanted } from "../../warmup/is-wanted.ts";
import { WARMUP_CHANGED } from "../../warmup/warmup.ts";
import type { ClaimedMail } from "../slots.ts";
import type { HandoverOutcome } from "../../carrier/transport/transport.ts";
import { paceOfBrake, type Brake } from "./brake.ts";
import { Brakes } from "./brakes.ts";
import type { Limit } from "./claim-backlog.ts";
import { BrakeLearner } from "./learning.ts";
import { BRAKES_CHANGED } from "./remove-brake.ts";
import { isKnown, MailboxDomains } from "./mailbox-domains.ts";
import { keepNextOfBrake, lockBrake, type MailBacklog } from "./queries.ts";
import { BACKLOG_FILLED, Backlogs, type BacklogWay } from "./backlogs.ts";

type PacingOptions = Ground & { readonly wayOfHop: (hop: number) => string | null };

const DAYS = [30, 90] as const;

/** For as long as the warm-up is paused or halted. */
const NEVER = "9999";

export class PaceKeeper {
  readonly #options: PacingOptions;
  readonly #mailboxes: MailboxDomains;
  readonly #brakes: Brakes;
  readonly #backlogs: Backlogs;
  readonly #learning: BrakeLearner;
  /** Called when mail that waited may leave. */
  onChange: () => void = () => {};
  readonly #warmups: Warmups;
  /** Mails that left without waiting and are not counted yet. */
  readonly #uncounted = new Map<string, { readonly warmup: number; readonly mailbox: string; count: number }>();

  constructor(options: PacingOptions) {
    this.#options = options;
    this.#mailboxes = new MailboxDomains(options);
    this.#brakes = new Brakes(options.store, () => this.lookAgain());
    this.#warmups = new Warmups({ store: options.store, isWanted: isWanted(options.config) });
    this.#backlogs = new Backlogs({
      ...options,
      placeOf: (backlog, lane) => this.#placeOf(backlog.domain, lane),
      limitsOf: (backlog, lane, way) => this.#limitsOf(backlog, lane, way),
    });
    this.#learning = new BrakeLearner({ ...options, mailboxes: this.#mailboxes, brakes: this.#brakes });
  }

  /** The limits may have changed. */
  lookAgain(): void {
    this.#backlogs.lookAgain();
    this.onChange();
  }

  /** Loads the state of the store, at the start. */
  async load(): Promise<void> {
    await this.#brakes.load();
    await this.#warmups.load();
    await this.#backlogs.load();
  }

  /** The host of a domain's mailboxes, if it is in memory; else the domain. */
  receiverOf(domain: string): string {
    return this.#mailboxes.atOnce(domain) ?? domain;
  }

  mailboxOf(domain: string): Promise<string> {
    return this.#mailboxes.mailboxOf(domain);
  }

  /** Whether some mail of this kind may have to wait. */
  concerns(workspace: number, isMarketing: boolean): boolean {
    return isMarketing || this.#brakes.has(workspace);
  }

  /** The backlog in which a mail waits before it may leave by this way; null = none. */
  async waitsFor(mail: MailToSend, way: string): Promise<Omit<MailBacklog, "seq"> | null> {
    const { workspace, senderDomain: domain, toAddress, repeatsLeft } = mail;
    const isMarketing = mail.kind === "MARKETING" && !mail.test;
    if (isMarketing) await this.#warmups.meet(workspace, domain);
    const warmups = isMarketing ? this.#warmupsOf(domain, way) : [];
    // A late repeat goes where the first copy went.
    if (repeatsLeft !== null || !(warmups.length > 0 || this.#brakes.has(workspace))) return null;
    const mailbox = await this.#mailboxes.mailboxOf(domainOf(toAddress));
    // Mail without a limit in `#limitsOf` must not come back here.
    const isPlanned = isKnown(mailbox) && warmups.some((one) => allowedOn(one.plan, mailbox, one.day) !== null);
    const isBraked = this.#brakes.holding({ workspace, way, mailbox }, mail.kind === "MARKETING") !== null;
    return isPlanned || isBraked ? { workspace, domain, mailbox } : null;
  }

  /** Puts the mail back into the queue, without counting an attempt. */
  put(mail: MailToSend, backlog: Omit<MailBacklog, "seq">): Promise<void> {
    return this.#backlogs.put(mail, mail.kind === "MARKETING" ? 1 : 0, backlog);
  }

  /** Mails that waited and may leave by this way now; answers the wait until the next one. */
  async claim(way: BacklogWay, most: number): Promise<{ mails: readonly ClaimedMail[]; restMs: number }> {
    return this.#backlogs.isNone ? { mails: [], restMs: LONGEST_REST_MS } : this.#backlogs.claim(way, most);
  }

  /** Answers whether the mail waits with all others of its provider, which rests (learning.ts). */
  async learn(mail: MailToSend, way: string, outcome: HandoverOutcome): Promise<boolean> {
    if (outcome.kind === "accepted" && mail.kind === "TRANSACTIONAL") this.#count(mail, way, 1);
    // The claim counted the mail; a mail that was not taken counts when it is, however often it is tried.
    const isPaced = mail.kind === "MARKETING" && !mail.test && mail.repeatsLeft === null;
    const isTaken = outcome.kind === "accepted" || outcome.kind === "unanswered";
    if (!isTaken && isPaced) this.#count(mail, way, -1);
    return this.#learning.learn(mail, way, outcome);
  }

  /** Gives a claimed mail's share of the day's warm-up back if it does not leave, for example after an unsubscribe. */
  givesBack({ senderDomain, toAddress, kind }: MailToSend, way: string): () => void {
    return () => kind === "MARKETING" && this.#count({ senderDomain, toAddress }, way, -1);
  }

  /** Transactional mail waits for no warm-up, and marketing mail gets the rest of the day's quota. */
  #count({ senderDomain, toAddress }: Pick<MailToSend, "senderDomain" | "toAddress">, way: string, more: 1 | -1): void {
    const mailbox = this.#warmups.isNone ? null : this.#mailboxes.atOnce(domainOf(toAddress));
    if (mailbox === null || !isKnown(mailbox)) return;
    for (const { seq: warmup, state } of this.#warmupsOf(senderDomain, way)) {
      if (state !== "RUNNING") continue;
      const name = `${warmup} ${mailbox}`;
      const counted = this.#uncounted.get(name) ?? { warmup, mailbox, count: 0 };
      counted.count += more;
      this.#uncounted.set(name, counted);
    }
  }

  #warmupsOf(domain: number, way: string): Warmup[] {
    return [this.#warmups.ofDomain(domain), this.#warmups.ofWay(way)].filter((one) => one !== null);
  }

  async #writeCounts(): Promise<void> {
    const counts = [...this.#uncounted.values()];
    this.#uncounted.clear();
    if (counts.length === 0) return;
    await this.#options.store.write(async (tx) => {
      for (const { count, ...place } of counts)
        await (count < 0 ? takeBack(tx, place, -count) : addSent(tx, place, count, null));
    });
  }

  get loops(): readonly LoopSpec[] {
    const { store } = this.#options;
    const step = async () => {
      await this.#writeCounts();
      if (!store.exclusive) await this.#backlogs.load();
      if (!(await this.#warmups.load()))
        return Math.min(await this.#learning.readReports(), await this.#learning.ease());
      this.lookAgain();
      return 0;
    };
    const follow = async () => ((await this.#brakes.load()) ? 0 : LONGEST_REST_MS);
    // Runs beside the claims, so that other mail does not wait for it.
    const sweep = async () => ((await this.#backlogs.sweep()) ? 0 : LONGEST_REST_MS);
    return [
      { name: "looking for mail that has to wait", step: sweep, wokenBy: BACKLOG_FILLED },
      { name: "pacing mailbox providers", step, wokenBy: WARMUP_CHANGED },
      { name: "forgetting mailbox domains", step: () => this.#mailboxes.forget() },
      { name: "following brakes", step: follow, wokenBy: BRAKES_CHANGED },
    ];
  }

  #placeOf(domain: number, lane: Lane): Sql {
    if (lane === TRANSACTIONAL || this.#warmups.ofDomain(domain) === null) return IN_ORDER;
    const nowMs = this.#options.clock.nowMs();
    const [since30, since90] = DAYS.map((days) => iso(nowMs - days * DAY_MS)) as [string, string];
    return byEngagement(since30, since90);
  }

  #limitsOf({ workspace, domain, mailbox }: MailBacklog, lane: Lane, way: string): readonly Limit[] | null {
    const mayBePlanned = lane === MARKETING && isKnown(mailbox);
    const planned = mayBePlanned ? this.#warmupsOf(domain, way) : [];
    const plans = planned.flatMap((warmup) => this.#limitOfPlan(warmup, mailbox));
    const isKept = plans.length > 0 || (mayBePlanned && this.#warmups.hasWays);
    if (!isKept && !this.#brakes.isOn({ workspace, mailbox }, lane === MARKETING)) return null;
    const brake = this.#brakes.holding({ workspace, way, mailbox }, lane === MARKETING);
    return brake === null ? plans : [this.#limitOf(brake), ...plans];
  }

  #limitOfPlan(warmup: Warmup, mailbox: string): Limit[] {
    const { seq, plan, day, dayBeganAt, state } = warmup;
    const allowed = allowedOn(plan, mailbox, day);
    if (allowed === null) return [];
    return [
      {
        pace: { ...catchingUp(allowed), horizonMs: this.#options.clock.headStartMs },
        notBefore: state === "RUNNING" ? null : NEVER,
        lock: async (tx) => {
          const bucket = await lockMailbox(tx, seq, mailbox);
          if (bucket === null) return null;
          const due = dueBy(allowed, dayBeganAt === null ? 0 : tx.nowMs - Date.parse(dayBeganAt));
          return { nextAtMs: bucket.nextAtMs, left: Math.max(0, due.count - bucket.sent), moreInMs: due.nextInMs };
        },
        keep: (tx, nextAtMs, count) => addSent(tx, { warmup: seq, mailbox }, count, nextAtMs),
      },
    ];
  }

  #limitOf(brake: Brake): Limit {
    const { clock } = this.#options;
    return {
      pace: paceOfBrake(brake, clock.headStartMs),
      notBefore: brake.pausedUntil,
      lock: async (tx) => {
        const nextAtMs = await lockBrake(tx, brake.seq);
        return nextAtMs === null ? null : { nextAtMs, left: Infinity, moreInMs: Infinity };
      },
      keep: (tx, nextAtMs) => keepNextOfBrake(tx, brake.seq, nextAtMs),
    };
  }
}
