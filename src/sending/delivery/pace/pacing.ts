// The pace at which each mailbox provider gets mail.
//
// - A provider that demands less mail, or takes none, has a brake for the workspace and the way out (brake-limits.ts).
//   A sender domain or way that is new has a plan (warm-up-limits.ts). Without either, pacing costs nothing.
// - Mail that a limit holds waits in a backlog as it comes up, with all due mail behind it, so that it does not hold up
//   other mail. Another way out does not bypass a brake.
// - From there it leaves as its limits allow, transactional mail first.
import { domainOf } from "../../../base/addresses.ts";
import { LOOK_OFTEN_MS, NOTHING_DUE } from "../../../base/jobs/due.ts";
import type { LoopSpec } from "../../../base/jobs/loops.ts";
import type { Ground } from "../../../ground/ground.ts";
import { laneOf, type Lane } from "../../../mail/emails/queue/holds.ts";
import type { MailToSend } from "../../../mail/emails/queries.ts";
import type { HandoverOutcome } from "../../carrier/transport/transport.ts";
import { WARMUP_CHANGED } from "../../warmup/warmup.ts";
import type { Limit, LimitedMail, LimitKind } from "../limits/limit.ts";
import type { ClaimedMail } from "../limits/rate.ts";
import { BACKLOG_FILLED, Backlogs, type BacklogWay } from "./backlogs.ts";
import { brakeLimits } from "./brake-limits.ts";
import { Brakes } from "./brakes.ts";
import { BrakeLearner } from "./learning.ts";
import { MailboxDomains } from "./mailbox-domains.ts";
import { BRAKES_CHANGED } from "./remove-brake.ts";
import { WarmupLimits } from "./warm-up-limits.ts";

type PacingOptions = Ground & { readonly wayOfHop: (hop: number) => string | null };

export class PaceKeeper {
  readonly #options: PacingOptions;
  readonly #mailboxes: MailboxDomains;
  readonly #brakes: Brakes;
  readonly #warmups: WarmupLimits;
  /** In the order in which a claim locks them. */
  readonly #limits: readonly LimitKind[];
  readonly #backlogs: Backlogs;
  readonly #learning: BrakeLearner;
  /** Called when mail that waited may leave. */
  onChange: () => void = () => {};

  constructor(options: PacingOptions) {
    this.#options = options;
    this.#mailboxes = new MailboxDomains(options);
    this.#brakes = new Brakes(options.store, () => this.lookAgain());
    this.#warmups = new WarmupLimits(options, this.#mailboxes);
    this.#limits = [brakeLimits(this.#brakes, options.clock), this.#warmups];
    this.#backlogs = new Backlogs({
      ...options,
      placeOf: (backlog, lane) => this.#warmups.placeOf(backlog.domain, lane),
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
    for (const limit of this.#limits) if (limit.concerns(workspace, isMarketing)) return true;
    return false;
  }

  /** The backlog in which a mail waits before it may leave by this way; null = none. */
  async waitsFor(mail: MailToSend, way: string): Promise<LimitedMail | null> {
    let mayWait = false;
    for (const limit of this.#limits) mayWait = (await limit.mayHold(mail, way)) || mayWait;
    // A late repeat goes where the first copy went.
    if (!mayWait || mail.repeatsLeft !== null) return null;
    const mailbox = await this.#mailboxes.mailboxOf(domainOf(mail.toAddress));
    const waits = this.#limits.some((limit) => limit.holds(mail, way, mailbox));
    return waits ? { workspace: mail.workspace, domain: mail.senderDomain, mailbox } : null;
  }

  /** Puts the mail back into the queue, without counting an attempt. */
  put(mail: MailToSend, backlog: LimitedMail): Promise<void> {
    return this.#backlogs.put(mail, laneOf(mail.kind === "MARKETING"), backlog);
  }

  /** Mails that waited and may leave by this way now; answers the wait until the next one. */
  async claim(way: BacklogWay, most: number): Promise<{ mails: readonly ClaimedMail[]; restMs: number }> {
    return this.#backlogs.isNone ? { mails: [], restMs: NOTHING_DUE } : this.#backlogs.claim(way, most);
  }

  /** Answers whether the mail waits with all others of its provider, which rests (learning.ts). */
  async learn(mail: MailToSend, way: string, outcome: HandoverOutcome): Promise<boolean> {
    for (const limit of this.#limits) limit.learn?.(mail, way, outcome);
    return this.#learning.learn(mail, way, outcome);
  }

  /** Gives back what the limits have counted of a claimed mail that does not leave. */
  givesBack({ senderDomain, toAddress, kind }: MailToSend, way: string): () => void {
    return () => this.#limits.forEach((limit) => limit.giveBack?.({ senderDomain, toAddress, kind }, way));
  }

  get loops(): readonly LoopSpec[] {
    const { store } = this.#options;
    const step = async () => {
      await this.#warmups.writeCounts();
      if (!store.exclusive) await this.#backlogs.load();
      if (!(await this.#warmups.load()))
        return Math.min(await this.#learning.readReports(), await this.#learning.ease());
      this.lookAgain();
      return 0;
    };
    const follow = async () => ((await this.#brakes.load()) ? 0 : NOTHING_DUE);
    // Runs beside the claims, so that other mail does not wait for it.
    const sweep = async () => ((await this.#backlogs.sweep()) ? 0 : NOTHING_DUE);
    return [
      { name: "looking for mail that has to wait", step: sweep, wokenBy: BACKLOG_FILLED, lookEveryMs: LOOK_OFTEN_MS },
      { name: "pacing mailbox providers", step, wokenBy: WARMUP_CHANGED, lookEveryMs: LOOK_OFTEN_MS },
      { name: "forgetting mailbox domains", step: () => this.#mailboxes.forget() },
      { name: "following brakes", step: follow, wokenBy: BRAKES_CHANGED, lookEveryMs: LOOK_OFTEN_MS },
    ];
  }

  #limitsOf(backlog: LimitedMail, lane: Lane, way: string): readonly Limit[] | null {
    const limits = this.#limits.map((limit) => limit.on(backlog, lane, way)).filter((some) => some !== null);
    return limits.length === 0 ? null : limits.flat();
  }
}
