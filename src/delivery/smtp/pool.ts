// The open connections to the relay, and the mails that wait for one, first come first served.
import { CLOSING, type Refusal } from "../transport/transport.ts";
import type { RelayAddress } from "./opening.ts";
import { SmtpSession } from "./session.ts";

type Waiter = { readonly answer: (session: SmtpSession | Refusal) => void; readonly isAlone: boolean };
type Idle = { readonly session: SmtpSession; readonly expiry: NodeJS.Timeout };

const IDLE_MS = 10_000;
/** If another connection fails while some work, those must do: relays limit how many they allow. */
const DIAL_PAUSE_MS = 10_000;
/** After so many mails in a row that could not leave behind another, the relay, or a proxy before it, is taken not to bear that. */
const MOST_LOST = 10;

export class SmtpPool {
  readonly #address: RelayAddress;
  readonly #concurrency: number;
  readonly #open = new Set<SmtpSession>();
  readonly #waiting: Waiter[] = [];
  /** Each holds two mails: the relay has yet to answer for the first. */
  readonly #shared = new Set<SmtpSession>();
  /** Mails in a row that went behind another and had to be sent again. */
  #lost = 0;
  #idle: Idle[] = [];
  #dialing = 0;
  #dialPause: NodeJS.Timeout | null = null;
  #closed: (() => void) | null = null;

  constructor(address: RelayAddress, concurrency: number) {
    this.#address = address;
    this.#concurrency = Math.max(1, concurrency);
  }

  /** A session for one mail, to be given back; or the reason why there is none. */
  take(isAlone: boolean): Promise<SmtpSession | Refusal> {
    if (this.#closed) return Promise.resolve(CLOSING);
    const session = this.#takeIdle();
    if (session) return Promise.resolve(session);
    return new Promise((resolve) => {
      this.#waiting.push({ answer: resolve, isAlone });
      this.#dial();
    });
  }

  /** Gives the session to the next mail as well, if one waits for its turn. */
  share(session: SmtpSession): void {
    const [next] = this.#waiting;
    const isFit = this.#lost < MOST_LOST && !this.#closed && !session.spent && !this.#shared.has(session);
    if (!next || next.isAlone || !isFit) return;
    this.#waiting.shift();
    this.#shared.add(session);
    next.answer(session);
  }

  /** Whether a mail that a session was shared with could leave so. */
  wentBehind(hasLeft: boolean): void {
    this.#lost = hasLeft ? 0 : this.#lost + 1;
  }

  give(session: SmtpSession): void {
    // The other mail still has it.
    if (this.#shared.delete(session)) return;
    if (session.spent || this.#closed) return this.#retire(session);
    this.#hand(session);
  }

  /** One connection was dead: the idle ones are as old, and likely dead too. */
  dropIdle(): void {
    for (const { session, expiry } of this.#idle.splice(0)) {
      clearTimeout(expiry);
      this.#retire(session);
    }
  }

  /** Lets the mails in hand finish, refuses those that wait, and hangs up. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closed = resolve;
      if (this.#dialPause) clearTimeout(this.#dialPause);
      this.#turnAway(CLOSING);
      this.dropIdle();
      this.#reportClosed();
    });
  }

  #takeIdle(): SmtpSession | null {
    for (;;) {
      const idle = this.#idle.pop();
      if (!idle) return null;
      clearTimeout(idle.expiry);
      if (!idle.session.spent) return idle.session;
      this.#open.delete(idle.session);
    }
  }

  #hand(session: SmtpSession): void {
    const waiter = this.#waiting.shift();
    if (waiter) return waiter.answer(session);
    const expiry = setTimeout(() => this.#expire(session), IDLE_MS).unref();
    this.#idle.push({ session, expiry });
  }

  #expire(session: SmtpSession): void {
    this.#idle = this.#idle.filter((idle) => idle.session !== session);
    this.#retire(session);
  }

  /** The place is free only when the relay has hung up, because the relay counts connections too. */
  #retire(session: SmtpSession): void {
    void session.quit().then(() => {
      this.#open.delete(session);
      this.#dial();
      this.#reportClosed();
    });
  }

  /** Opens one more connection if a mail waits and none is being opened for it. */
  #dial(): void {
    if (this.#waiting.length <= this.#dialing || this.#open.size + this.#dialing >= this.#concurrency) return;
    if (this.#dialPause && this.#open.size > 0) return;
    this.#dialing++;
    void SmtpSession.open(this.#address).then((answer) => {
      this.#dialing--;
      if (answer instanceof SmtpSession) this.#welcome(answer);
      else this.#missed(answer);
      this.#reportClosed();
    });
  }

  #welcome(session: SmtpSession): void {
    this.#open.add(session);
    this.give(session);
  }

  #missed(reason: Refusal): void {
    if (this.#open.size + this.#dialing > 0) return this.#pauseDialing();
    this.#turnAway(reason);
  }

  #pauseDialing(): void {
    this.#dialPause ??= setTimeout(() => {
      this.#dialPause = null;
      this.#dial();
    }, DIAL_PAUSE_MS).unref();
  }

  #turnAway(reason: Refusal): void {
    for (const { answer } of this.#waiting.splice(0)) answer(reason);
  }

  #reportClosed(): void {
    if (this.#open.size === 0 && this.#dialing === 0) this.#closed?.();
  }
}
