// The next hop of a simulation: its answers are the seed's choice, and it knows what arrived, in whose life.
import type { FinishedMessage, HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import type { Chance } from "../support/chance.ts";
import type { Fate } from "./fate.ts";
import type { Order } from "./order.ts";

export type Arrival = {
  readonly mail: string;
  readonly life: number;
  /** By its name. */
  readonly way: string;
  readonly messageId: string;
  /** Nobody heard that it was taken. */
  readonly isUnknown: boolean;
};
/** Which process hands over, and by which way. */
type Sender = { readonly life: number; readonly fate: Fate; readonly way: string };

const LOST: HandoverOutcome = { kind: "unreachable", reply: "The connection was lost", isLocal: true };
const ACCEPTED: HandoverOutcome = { kind: "accepted", reply: "250 2.0.0 Ok" };
const ANSWERS: readonly HandoverOutcome[] = [
  ...Array<HandoverOutcome>(12).fill(ACCEPTED),
  { kind: "bounced", reply: "550 5.1.1 No such user" },
  { kind: "failed", reply: "554 5.7.1 Spam" },
  { kind: "later", reply: "451 4.3.0 Try again", transient: true },
  { kind: "later", reply: "421 4.7.0 Too fast" },
  { kind: "unreachable", reply: "Connection refused" },
];
/** What a mailbox provider says of our pace. */
const OF_PROVIDER: readonly HandoverOutcome[] = [
  { kind: "later", reply: "421 4.7.28 Our system has detected an unusual rate of mail" },
  { kind: "failed", reply: "550 5.7.1 Blocked: the reputation of your server is low" },
];
/** Where there is another way to go. */
const UNANSWERED: HandoverOutcome = { kind: "unanswered", reply: "The message was sent, and no answer came" };
const OF_ONE_WAY: readonly HandoverOutcome[] = [
  ...ANSWERS,
  ...Array<HandoverOutcome>(3).fill({ kind: "unreachable", reply: "Connection refused" }),
  { kind: "failed", reply: "550 5.7.1 Relaying denied" },
  { kind: "later", reply: "421 4.3.2 Shutting down" },
  UNANSWERED,
];

export class Relay {
  readonly arrivals: Arrival[] = [];
  /** Arrivals, and what did not arrive though its sender cannot know. */
  readonly taken: Arrival[] = [];
  /** From now on it takes everything. */
  isKind = false;
  /** Called with each message as it leaves the program. */
  onLeaving: (message: FinishedMessage) => void = () => {};

  constructor(
    private readonly chance: Chance,
    private readonly order: Order,
  ) {}

  take(message: FinishedMessage, sender: Sender & { readonly isSeveral: boolean }): Promise<HandoverOutcome> {
    return this.#take(message, sender).catch(() => LOST);
  }

  /** To somebody who looks whether the next hop works. */
  look(): string | null {
    return this.isKind || this.chance.next() < 0.5 ? null : "Connection refused";
  }

  /** What is on the wire when the process dies arrives or not. @throws Crash */
  async #take(message: FinishedMessage, sender: Sender & { readonly isSeveral: boolean }): Promise<HandoverOutcome> {
    const { fate, isSeveral } = sender;
    fate.pass();
    this.onLeaving(message);
    await this.order.turn();
    if (fate.isDead && this.chance.next() < 0.5) return LOST;
    const answers = isSeveral ? OF_ONE_WAY : ANSWERS;
    const isAtProvider = message.envelope.recipient.endsWith("@gmail.com");
    const outcome = this.isKind ? ACCEPTED : this.chance.of(isAtProvider ? [...answers, ...OF_PROVIDER] : answers);
    this.#note(message, sender, outcome);
    await this.order.turn();
    fate.pass();
    return outcome;
  }

  #note({ id: mail, ...message }: FinishedMessage, { life, way }: Sender, { kind }: HandoverOutcome): void {
    const isUnknown = kind === "unanswered";
    if (kind !== "accepted" && !isUnknown) return;
    const arrival: Arrival = { mail, life, way, isUnknown, messageId: messageIdOf(message) };
    this.taken.push(arrival);
    if (!isUnknown || this.chance.next() < 0.5) this.arrivals.push(arrival);
  }
}

function messageIdOf({ raw }: Pick<FinishedMessage, "raw">): string {
  return /^message-id:\s*(\S+)/im.exec(raw.toString("latin1"))?.[1] ?? "none";
}
