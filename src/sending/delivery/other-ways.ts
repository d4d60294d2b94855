// A mail that a way surely has not taken, through a fault of the way: the next way gets it immediately.
import type { MailToSend } from "../../mail/emails/queries.ts";
import { setAsked } from "../../mail/emails/queue/queue-queries.ts";
import type { OpenWay } from "../open-ways/open-way.ts";
import { ifNoneIsLeft, mayGoElsewhere, untried } from "../open-ways/refused-by-way.ts";
import type { WaitingSenders } from "../open-ways/waiting-senders.ts";
import type { GuardOptions } from "./guards.ts";
import { takeSlot } from "./limits/rate.ts";
import type { HandoverAttempt } from "./settle.ts";

/** A mail and its outcome at a way. */
export type MailDeparture = { readonly mail: MailToSend; readonly attempted: HandoverAttempt; readonly way: OpenWay };

type OtherWayCalls = {
  /** Hands the mail over by another way at a moment; null = it is no longer ours, or may not leave. */
  readonly through: (way: OpenWay, atMs: number) => Promise<MailDeparture | null>;
  /** Gives back what the pace of the first way has counted. */
  readonly giveBack: () => void;
};

type OtherWaysOptions = Pick<GuardOptions, "store" | "clock" | "pacing" | "ways">;

export class OtherWays {
  readonly #options: OtherWaysOptions;
  readonly #waiting: WaitingSenders;

  constructor(options: OtherWaysOptions, waiting: WaitingSenders) {
    this.#options = options;
    this.#waiting = waiting;
  }

  /**
   * Takes a mail that its first way has not accepted. Tries each way once, until one takes it; a mail with an unknown
   * fate at a way stays with that way. Answers the last departure; null = the mail is no longer ours, or may not leave.
   */
  async tryFor(first: MailDeparture, { through, giveBack }: OtherWayCalls): Promise<MailDeparture | null> {
    const { ways, clock, pacing } = this.#options;
    let departed: MailDeparture | null = first;
    for (const tried = [first.way]; departed && departed.mail.repeatsLeft === null;) {
      if (!mayGoElsewhere(departed.attempted.outcome, departed.way.isDown)) break;
      const way = ways.next(tried, clock.monotonicMs(), departed.mail);
      if (way === null) break;
      const isFree = (await pacing.waitsFor(departed.mail, way.options.name)) === null;
      const atMs = isFree ? await this.#slotOf(way, departed.mail) : null;
      if (atMs === null) return { ...departed, attempted: untried(departed.attempted, departed.way.isDown) };
      // The first way has not received the mail, and the next one has no plan.
      if (tried.length === 1) giveBack();
      tried.push(way);
      departed = await through(way, atMs);
    }
    return departed && this.#unlessGivenUp(departed);
  }

  /** A slot for a mail that was claimed for another way. */
  #slotOf(way: OpenWay, mail: MailToSend): Promise<number | null> {
    const { store, clock, ways } = this.#options;
    const hop = ways.noted(way);
    return store.write(async (tx) => {
      const atMs = await takeSlot(tx, { clock, pacer: way.pacer, pace: way.options.pace });
      if (atMs !== null && hop !== null) await setAsked(tx, mail, hop);
      return atMs;
    });
  }

  /** A mail is not given up because no way takes its account or its sender. */
  #unlessGivenUp(departed: MailDeparture): MailDeparture {
    const { mail, way, attempted } = departed;
    if (mail.repeatsLeft !== null) return departed;
    const waits = { isDown: way.isDown, senderMs: way.senderRestMs(mail.domain) };
    const outcome = ifNoneIsLeft(attempted.outcome, waits);
    const { rule, seq, domain } = mail;
    if (outcome.kind === "unreachable" && outcome.isTold && domain !== null) this.#waiting.add({ rule, seq, domain });
    return { ...departed, attempted: { ...attempted, outcome } };
  }
}
