// The relay of the demo while its past is made: it takes mail and lets none out, refuses what goes to mailboxes that
// are gone, and tells what it took.
import type { FinishedMessage, HandoverOutcome, Transport } from "../../sending/carrier/transport/transport.ts";

export type TakenMail = {
  readonly id: string;
  readonly to: string;
  readonly isMarketing: boolean;
  /** The path of the page that confirms a sign-up; null = it asks for none. */
  readonly confirms: string | null;
};

export class DemoRelay implements Transport {
  #taken: TakenMail[] = [];

  constructor(private readonly isGone: (address: string) => boolean) {}

  async send({ id, envelope: { recipient }, raw }: FinishedMessage): Promise<HandoverOutcome> {
    if (this.isGone(recipient)) return { kind: "bounced", reply: `550 5.1.1 <${recipient}>: no such mailbox here` };
    const text = raw.toString("latin1").replaceAll("=\r\n", "");
    const confirms = /\/subscribe\/[\w.-]+/.exec(text)?.[0] ?? null;
    this.#taken.push({ id, to: recipient, isMarketing: text.includes("List-Unsubscribe"), confirms });
    return { kind: "accepted", reply: "250 2.0.0 Ok: queued" };
  }

  /** The mails taken since the last call, sorted: which of them was handed over first is chance. */
  drain(): readonly TakenMail[] {
    return this.#taken.splice(0).toSorted((one, other) => (one.to < other.to ? -1 : one.to > other.to ? 1 : 0));
  }

  async look(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {}
}
