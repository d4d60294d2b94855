// A transport that keeps what it is given and answers what a test tells it to.
import type { FinishedMessage, HandoverOutcome, Transport } from "../../src/sending/carrier/transport/transport.ts";

const ACCEPTED: HandoverOutcome = { kind: "accepted", reply: "250 2.0.0 Ok" };

export class RecordingTransport implements Transport {
  readonly sent: FinishedMessage[] = [];
  /** What the next hop says to each message; everything is accepted unless a test changes it. */
  answer: (message: FinishedMessage) => HandoverOutcome | Promise<HandoverOutcome> = () => ACCEPTED;

  async send(message: FinishedMessage): Promise<HandoverOutcome> {
    this.sent.push(message);
    return this.answer(message);
  }

  /** What the next hop says to somebody who looks whether it works: null = it does. */
  fault: string | null = null;

  async look(): Promise<string | null> {
    return this.fault;
  }

  startOver(): void {
    this.sent.splice(0);
    this.answer = () => ACCEPTED;
    this.fault = null;
  }

  async close(): Promise<void> {}

  get recipients(): string[] {
    return this.sent.map((message) => message.envelope.recipient);
  }
}
