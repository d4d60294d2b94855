// One open connection to the relay: hands over one mail after the other until it ends.
import { isAscii } from "node:buffer";
import { systemClock as clock } from "../../../base/clock.ts";
import type { Phase } from "../../../mail/emails/refusals/blame.ts";
import { needsUtf8 } from "../transport/envelope.ts";
import type { FinishedMessage, HandoverOutcome, HopRefusal } from "../transport/transport.ts";
import type { DialogueAnswer } from "./dialogue.ts";
import { fitFor } from "./fit.ts";
import { openConnection, type RelayConnection, type RelayAddress } from "./opening.ts";
import {
  accepted,
  isBroken,
  isGoAhead,
  isOfSession,
  isRefusal,
  isTaken,
  refusedBy,
  type SmtpFailure,
} from "./reply.ts";
import { wireBytes } from "./wire-bytes.ts";

/**
 * `stale`: the mail has not left because of the earlier traffic on the connection, so it may be retried immediately.
 */
type HandOver = {
  readonly outcome: HandoverOutcome;
  readonly stale: boolean;
  /** Mails that the session had carried when the relay refused one more; null = no such refusal. */
  readonly limit: number | null;
};

/** A relay may refuse a session that was idle for longer. */
const IDLE_MS = 1000;

/** MAIL, RCPT, DATA. */
type Commands = readonly [string, string, string];
export type MaxWait = Pick<RelayAddress, "timeoutMs"> & {
  /** For each piece of the message, and then for the relay's answer. */
  readonly answerTimeoutMs: number;
};

const PHASES = ["mail", "rcpt", "data"] as const;
const DATA = 2;

export class SmtpSession {
  readonly #relay: RelayConnection;
  readonly #waits: MaxWait;
  #mails = 0;
  #answeredAtMs = -Infinity;

  private constructor(relay: RelayConnection, maxWait: MaxWait) {
    this.#relay = relay;
    this.#waits = maxWait;
  }

  /** A session ready for mails, or the reason why it failed. */
  static async open(address: RelayAddress & MaxWait): Promise<SmtpSession | HopRefusal> {
    const opened = await openConnection(address);
    return "kind" in opened ? opened : new SmtpSession(opened, address);
  }

  get isOver(): boolean {
    return this.#relay.dialogue.isOver;
  }

  /** The number of mails that it has carried or carries. */
  get mails(): number {
    return this.#mails;
  }

  /** Hands over one message whose envelope is fit for the wire. */
  async send(message: FinishedMessage): Promise<HandOver> {
    const wasIdle = clock.monotonicMs() - this.#answeredAtMs > IDLE_MS;
    const carried = this.#mails++;
    const raw = await fitFor(this.#relay, message);
    const result = "kind" in raw ? raw : await this.#transmit({ ...message, raw });
    const handOver = { stale: false, limit: null };
    if (typeof result === "string") return { outcome: accepted(result), ...handOver };
    if ("kind" in result) return { outcome: result, ...handOver };
    await this.#recover(result);
    const stale = carried > 0 && result.begun === "no" && this.#isOutOfStep(result);
    const limit = stale && !wasIdle && isRefusal(result) ? carried : null;
    return { outcome: refusedBy(result), stale, limit };
  }

  quit(): Promise<void> {
    return this.#relay.dialogue.quit();
  }

  /** Without a goodbye. */
  end(reason: string): void {
    this.#relay.dialogue.end(reason);
  }

  /** The relay's answer if it took the message, else the failure. */
  async #transmit({ envelope, raw, onSaid }: FinishedMessage): Promise<string | SmtpFailure> {
    const { dialogue } = this.#relay;
    const { answerTimeoutMs } = this.#waits;
    const failure = await this.#begin(this.#commands({ envelope, raw }));
    if (failure) return failure;
    let begun: SmtpFailure["begun"] = dialogue.isOver ? "no" : "part";
    // Listens from now on: a relay may refuse a message before it has received all of it.
    const answered = dialogue.answer();
    await dialogue.say(wireBytes(raw), answerTimeoutMs, () => {
      begun = "whole";
      onSaid?.();
    });
    const answer = await dialogue.within(answerTimeoutMs, () => answered);
    this.#answeredAtMs = clock.monotonicMs();
    return isTaken(answer) ? answer : { phase: "data", answer, begun };
  }

  #commands({ envelope, raw }: Pick<FinishedMessage, "envelope" | "raw">): Commands {
    const { extensions } = this.#relay;
    const parameters = [
      ...(needsUtf8(envelope) ? [" SMTPUTF8"] : []),
      ...(isAscii(raw) ? [] : [" BODY=8BITMIME"]),
      ...(extensions.has("SIZE") ? [` SIZE=${raw.length}`] : []),
    ];
    return [`MAIL FROM:<${envelope.returnPath}>${parameters.join("")}`, `RCPT TO:<${envelope.recipient}>`, "DATA"];
  }

  /**
   * Null once the relay waits for the message. Where it offers PIPELINING (RFC 2920), all commands are sent together.
   */
  async #begin(commands: Commands): Promise<SmtpFailure | null> {
    const { dialogue, extensions } = this.#relay;
    const asked = extensions.has("PIPELINING") ? dialogue.ask(...commands) : null;
    for (const [at, phase] of PHASES.entries()) {
      const heard = () => asked?.[at] ?? dialogue.answerTo(commands[at] as string);
      const answer = await dialogue.within(this.#waits.timeoutMs, heard);
      // A relay that answers DATA with anything but a 354 is out of step: its next answer may be about something else.
      if (phase === "data" ? isGoAhead(answer) : isTaken(answer)) continue;
      const failure = { phase, answer, begun: "no" } as const;
      const data = asked?.[DATA];
      if (data && !this.#isOutOfStep(failure)) await this.#endEmpty(phase, data);
      return failure;
    }
    return null;
  }

  /**
   * DATA was sent along with the refused command, and a relay may wait for a message without a recipient: it gets an
   * empty one (RFC 2920 §3.1). After a refused sender, no relay should wait for a message.
   */
  async #endEmpty(refused: Phase, data: Promise<DialogueAnswer>): Promise<void> {
    const { dialogue } = this.#relay;
    const { timeoutMs } = this.#waits;
    if (!isGoAhead(await dialogue.within(timeoutMs, () => data))) return;
    if (refused === "rcpt") await dialogue.within(timeoutMs, () => dialogue.answerTo("."));
    else dialogue.end("The relay wants a message from a sender whom it refused");
  }

  /** Makes the session ready for the next mail, or ends it. */
  async #recover(failure: SmtpFailure): Promise<void> {
    const { dialogue } = this.#relay;
    // A refusal during the message may be followed by one more answer, so the session is not used again.
    if (failure.begun !== "no" || this.#isOutOfStep(failure)) return dialogue.end("The relay is out of step");
    const answer = await dialogue.within(this.#waits.timeoutMs, () => dialogue.answerTo("RSET"));
    if (!isTaken(answer)) dialogue.end("The relay does not start over");
  }

  /**
   * After other mails a refused sender says nothing about this mail: relays limit the mails of a session, with any code
   * (OpenSMTPD after 100 with 452), and a surplus answer to the mail before looks like a refusal as well.
   */
  #isOutOfStep(failure: SmtpFailure): boolean {
    return isBroken(failure) || (this.#mails > 1 && isOfSession(failure));
  }
}
