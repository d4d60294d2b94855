// The plans of warm-ups as limits: what a sender domain, or a way out, may send to each known mailbox provider today.
import { domainOf } from "../../../base/addresses.ts";
import { DAY_MS, iso } from "../../../base/clock.ts";
import type { Ground } from "../../../ground/ground.ts";
import { MARKETING, TRANSACTIONAL, type Lane } from "../../../mail/emails/queue/holds.ts";
import { byEngagement, IN_ORDER } from "../../../mail/emails/queue/pace-queries.ts";
import type { MailToSend } from "../../../mail/emails/queries.ts";
import type { Sql } from "../../../store/sql.ts";
import type { HandoverOutcome } from "../../carrier/transport/transport.ts";
import { Warmups } from "../../warmup/in-force.ts";
import { isWanted } from "../../warmup/is-wanted.ts";
import { allowedOn, catchingUp, dueBy } from "../../warmup/plan.ts";
import { addSent, lockMailbox, takeBack, type Warmup } from "../../warmup/queries.ts";
import type { Limit, LimitedMail, LimitKind, MailShare } from "../limits/limit.ts";
import { isKnown, type MailboxDomains } from "./mailbox-domains.ts";

const DAYS = [30, 90] as const;
/** For as long as the warm-up is paused or halted. */
const NEVER = "9999";

export class WarmupLimits implements LimitKind {
  readonly #ground: Ground;
  readonly #mailboxes: MailboxDomains;
  readonly #warmups: Warmups;
  /** Mails that left without waiting, or did not leave, and are not counted yet. */
  readonly #uncounted = new Map<string, { readonly warmup: number; readonly mailbox: string; count: number }>();

  constructor(ground: Ground, mailboxes: MailboxDomains) {
    this.#ground = ground;
    this.#mailboxes = mailboxes;
    this.#warmups = new Warmups({ store: ground.store, isWanted: () => isWanted(ground.config) });
  }

  /** Answers whether a warm-up has changed. */
  load(): Promise<boolean> {
    return this.#warmups.load();
  }

  /** A new sender domain gets its warm-up with its first marketing mail. */
  concerns(_: number, isMarketing: boolean): boolean {
    return isMarketing;
  }

  async mayHold(mail: MailToSend, way: string): Promise<boolean> {
    if (!isPlanned(mail)) return false;
    await this.#warmups.meet(mail.workspace, mail.senderDomain);
    return this.#of(mail.senderDomain, way).length > 0;
  }

  holds(mail: MailToSend, way: string, mailbox: string): boolean {
    if (!isPlanned(mail) || !isKnown(mailbox)) return false;
    return this.#of(mail.senderDomain, way).some(({ plan, day }) => allowedOn(plan, mailbox, day) !== null);
  }

  on({ domain, mailbox }: LimitedMail, lane: Lane, way: string): readonly Limit[] | null {
    if (lane !== MARKETING || !isKnown(mailbox)) return null;
    const limits = this.#of(domain, way).flatMap((warmup) => this.#limitOf(warmup, mailbox));
    return limits.length > 0 || this.#warmups.hasWays ? limits : null;
  }

  giveBack(mail: MailShare, way: string): void {
    if (mail.kind === "MARKETING") this.#count(mail, way, -1);
  }

  /** Transactional mail waits for no warm-up, and marketing mail gets the rest of the day's quota. */
  learn(mail: MailToSend, way: string, { kind }: HandoverOutcome): void {
    if (kind === "accepted" && mail.kind === "TRANSACTIONAL") this.#count(mail, way, 1);
    // The claim counted the mail; a mail that was not taken counts when it is, however often it is tried.
    const isTaken = kind === "accepted" || kind === "unanswered";
    if (!isTaken && isPlanned(mail) && mail.repeatsLeft === null) this.#count(mail, way, -1);
  }

  /** The order in which mail that waits leaves: the most engaged people first. */
  placeOf(domain: number, lane: Lane): Sql {
    if (lane === TRANSACTIONAL || this.#warmups.ofDomain(domain) === null) return IN_ORDER;
    const nowMs = this.#ground.clock.nowMs();
    const [since30, since90] = DAYS.map((days) => iso(nowMs - days * DAY_MS)) as [string, string];
    return byEngagement(since30, since90);
  }

  async writeCounts(): Promise<void> {
    const counts = [...this.#uncounted.values()];
    this.#uncounted.clear();
    if (counts.length === 0) return;
    await this.#ground.store.write(async (tx) => {
      for (const { count, ...place } of counts)
        await (count < 0 ? takeBack(tx, place, -count) : addSent(tx, place, count, null));
    });
  }

  #count({ senderDomain, toAddress }: MailShare, way: string, more: 1 | -1): void {
    const mailbox = this.#warmups.isNone ? null : this.#mailboxes.atOnce(domainOf(toAddress));
    if (mailbox === null || !isKnown(mailbox)) return;
    for (const { seq: warmup, state } of this.#of(senderDomain, way)) {
      if (state !== "RUNNING") continue;
      const name = `${warmup} ${mailbox}`;
      const counted = this.#uncounted.get(name) ?? { warmup, mailbox, count: 0 };
      counted.count += more;
      this.#uncounted.set(name, counted);
    }
  }

  #of(domain: number, way: string): Warmup[] {
    return [this.#warmups.ofDomain(domain), this.#warmups.ofWay(way)].filter((one) => one !== null);
  }

  #limitOf({ seq: warmup, plan, day, dayBeganAt, state }: Warmup, mailbox: string): Limit[] {
    const allowed = allowedOn(plan, mailbox, day);
    if (allowed === null) return [];
    return [
      {
        pace: { ...catchingUp(allowed), horizonMs: this.#ground.clock.headStartMs },
        notBefore: state === "RUNNING" ? null : NEVER,
        lock: async (tx) => {
          const bucket = await lockMailbox(tx, warmup, mailbox);
          if (bucket === null) return null;
          const due = dueBy(allowed, dayBeganAt === null ? 0 : tx.nowMs - Date.parse(dayBeganAt));
          return { nextAtMs: bucket.nextAtMs, left: Math.max(0, due.count - bucket.sent), moreInMs: due.nextInMs };
        },
        take: (tx, count, nextAtMs) => addSent(tx, { warmup, mailbox }, count, nextAtMs),
      },
    ];
  }
}

/** Only marketing mail waits for a plan, and no test copies of it. */
function isPlanned({ kind, test }: MailToSend): boolean {
  return kind === "MARKETING" && !test;
}
