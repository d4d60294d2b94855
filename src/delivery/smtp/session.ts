// One open connection to the relay: hands over one mail after the other until it ends.
import { isAscii } from "node:buffer";
import { systemClock as clock } from "../../clock.ts";
import type { Phase } from "../../emails/refusals/blame.ts";
import { needsUtf8 } from "../transport/envelope.ts";
import type { FinishedMessage, Outcome, Refusal } from "../transport/transport.ts";
import type { Answer } from "./dialogue.ts";
import { fitFor } from "./fit.ts";
import { openConnection, type Opened, type RelayAddress } from "./opening.ts";
import { accepted, isBroken, isGoAhead, isTaken, refusedBy, type Failure } from "./reply.ts";
import { wireBytes } from "./wire-bytes.ts";

/** `stale`: the mail has not left us because of what came before it on the connection, so it may be tried again at once. */
type HandOver = {
  readonly outcome: Outcome;
  readonly stale: boolean;
  /** Behind another message. */ readonly wasBehind: boolean;
};

/** For one whole mail, however slowly the relay answers: envelope, DATA, body and its answer. */
const MAIL_TIMEOUTS = 4;
const MAILS_PER_SESSION = 1000;
/** Behind a message that takes the relay longer, the next one would wait although another connection may be free by then. */
const QUICK_MS = 100;

/** MAIL, RCPT, DATA. */
type Commands = readonly [string, string, string];
const PHASES = ["mail", "rcpt", "data"] as const;
const DATA = 2;

export class SmtpSession {
  readonly #relay: Opened;
  readonly #timeoutMs: number;
  #mails = 0;
  /** Of these the relay has answered for. */
  #answered = 0;
  #isQuick = false;
  /** The mail that began last came behind one that the relay had not answered for. */
  #isBehind = false;

  private constructor(relay: Opened, timeoutMs: number) {
    this.#relay = relay;
    this.#timeoutMs = timeoutMs;
  }

  /** A session ready for mails, or the reason why there is none. */
  static async open(address: RelayAddress): Promise<SmtpSession | Refusal> {
    const opened = await openConnection(address);
    return "kind" in opened ? opened : new SmtpSession(opened, address.timeoutMs);
  }

  get spent(): boolean {
    return this.#relay.dialogue.isOver || this.#mails >= MAILS_PER_SESSION;
  }

  /**
   * Hands over one message whose envelope is fit for the wire. Once all of it is said, `onSaid` may give the session to the next one, whose
   * envelope then goes behind it in one packet (RFC 2920 §3.1); that message leaves after the answer for this one.
   */
  async send(message: FinishedMessage, onSaid: () => void): Promise<HandOver> {
    const wasBehind = (this.#isBehind = this.#mails > this.#answered);
    const reused = this.#mails++ > 0;
    const result = await this.#sent(message, onSaid);
    this.#answered++;
    if (typeof result === "string") return { outcome: accepted(result), stale: false, wasBehind };
    if ("kind" in result) return { outcome: result, stale: false, wasBehind };
    await this.#recover(result);
    const stale = reused && !result.hasBegun && this.#isOutOfStep(result);
    return { outcome: refusedBy(result), stale, wasBehind };
  }

  async #sent(message: FinishedMessage, onSaid: () => void): Promise<string | Failure | Refusal> {
    const raw = await fitFor(this.#relay, message);
    if ("kind" in raw) return raw;
    return this.#within(MAIL_TIMEOUTS * this.#timeoutMs, () => this.#transmit({ ...message, raw }, onSaid));
  }

  quit(): Promise<void> {
    return this.#relay.dialogue.quit();
  }

  /** The relay's answer if it took the message, else what went wrong. */
  async #transmit({ envelope, raw }: FinishedMessage, onSaid: () => void): Promise<string | Failure> {
    const { dialogue, extensions } = this.#relay;
    const failure = await this.#begin(this.#commands({ envelope, raw }));
    if (failure) return failure;
    const hasBegun = !dialogue.isOver;
    // Waited for from now on: a relay may refuse a message before it has heard all of it.
    const answered = dialogue.answer();
    await dialogue.say(wireBytes(raw));
    const saidAtMs = clock.monotonicMs();
    if (this.#isQuick && extensions.has("PIPELINING")) onSaid();
    const answer = await answered;
    this.#isQuick = clock.monotonicMs() - saidAtMs < QUICK_MS;
    return isTaken(answer) ? answer : { phase: "data", answer, hasBegun };
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

  /** Null once the relay waits for the message. Where it offers PIPELINING (RFC 2920), all commands are said at once. */
  async #begin(commands: Commands): Promise<Failure | null> {
    const { dialogue, extensions } = this.#relay;
    const asked = extensions.has("PIPELINING") ? dialogue.ask(...commands) : null;
    for (const [at, phase] of PHASES.entries()) {
      const answer = await (asked?.[at] ?? dialogue.answerTo(commands[at] as string));
      // A relay that answers DATA with anything but a 354 is out of step: what it says next may be about something else.
      if (phase === "data" ? isGoAhead(answer) : isTaken(answer)) continue;
      const failure = { phase, answer, hasBegun: false };
      if (asked?.[DATA] && !this.#isOutOfStep(failure)) await this.#endEmpty(phase, await asked[DATA]);
      return failure;
    }
    return null;
  }

  /**
   * DATA was said along with the refused command, and a relay may want a message though it goes to nobody: it gets an empty one (RFC 2920
   * §3.1). One that has refused the sender has no business with a message at all.
   */
  async #endEmpty(refused: Phase, answer: Answer): Promise<void> {
    const { dialogue } = this.#relay;
    if (!isGoAhead(answer)) return;
    if (refused === "rcpt") await dialogue.answerTo(".");
    else dialogue.end("The relay wants a message from a sender whom it refused");
  }

  /** Makes the session ready for the next mail, or ends it. */
  async #recover(failure: Failure): Promise<void> {
    const { dialogue } = this.#relay;
    // A refusal during the message may be followed by one more answer, so the session is not used again.
    if (failure.hasBegun || this.#isOutOfStep(failure)) return dialogue.end("The relay is out of step");
    const answer = await this.#within(this.#timeoutMs, () => dialogue.answerTo("RSET"));
    if (!isTaken(answer)) dialogue.end("The relay does not start over");
  }

  /** Behind a message, an answer too many for that one looks like a refusal of the next sender. */
  #isOutOfStep(failure: Failure): boolean {
    return isBroken(failure) || (this.#isBehind && failure.phase === "mail");
  }

  /** Ends the connection if the work takes longer. */
  async #within<Result>(patienceMs: number, work: () => Promise<Result>): Promise<Result> {
    const patience = setTimeout(() => this.#relay.dialogue.end("Took too long"), patienceMs);
    try {
      return await work();
    } finally {
      clearTimeout(patience);
    }
  }
}
