// The next hop of a simulation: its answers are the seed's choice, and it knows what arrived, in whose life.
import type { FinishedMessage, Outcome } from "../../src/delivery/transport/transport.ts";
import type { Chance } from "../support/chance.ts";
import type { Fate } from "./fate.ts";
import type { Order } from "./order.ts";

export type Arrival = { readonly mail: string; readonly life: number; readonly messageId: string };

const LOST: Outcome = { kind: "unreachable", reply: "The connection was lost", isLocal: true };
const ACCEPTED: Outcome = { kind: "accepted", reply: "250 2.0.0 Ok" };
const ANSWERS: readonly Outcome[] = [
  ...Array<Outcome>(12).fill(ACCEPTED),
  { kind: "bounced", reply: "550 5.1.1 No such user" },
  { kind: "failed", reply: "554 5.7.1 Spam" },
  { kind: "later", reply: "451 4.3.0 Try again", transient: true },
  { kind: "later", reply: "421 4.7.0 Too fast" },
  { kind: "unreachable", reply: "Connection refused" },
];

export class Relay {
  readonly arrivals: Arrival[] = [];
  /** From now on it takes everything. */
  isKind = false;
  /** Called with each message as it leaves the program. */
  onLeaving: (message: FinishedMessage) => void = () => {};

  constructor(
    private readonly chance: Chance,
    private readonly order: Order,
  ) {}

  /** Of one life of the process. */
  take(message: FinishedMessage, life: number, fate: Fate): Promise<Outcome> {
    return this.#take(message, life, fate).catch(() => LOST);
  }

  /** What is on the wire when the process dies arrives or not. @throws Crash */
  async #take(message: FinishedMessage, life: number, fate: Fate): Promise<Outcome> {
    fate.pass();
    this.onLeaving(message);
    await this.order.turn();
    if (fate.isDead && this.chance.next() < 0.5) return LOST;
    const outcome = this.isKind ? ACCEPTED : this.chance.of(ANSWERS);
    if (outcome.kind === "accepted") this.arrivals.push({ mail: message.id, life, messageId: messageIdOf(message) });
    await this.order.turn();
    fate.pass();
    return outcome;
  }
}

function messageIdOf({ raw }: FinishedMessage): string {
  return /^message-id:\s*(\S+)/im.exec(raw.toString("latin1"))?.[1] ?? "none";
}
