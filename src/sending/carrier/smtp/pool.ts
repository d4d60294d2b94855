// The open connections to the relay, and the mails that wait for one, first come first served.
import { HOUR_MS, systemClock as clock } from "../../../base/clock.ts";
import { CLOSING, CLOSING_MS, type HopRefusal } from "../transport/transport.ts";
import { SmtpSession } from "./session.ts";

type Waiter = (session: SmtpSession | HopRefusal) => void;
type PoolOptions = Parameters<typeof SmtpSession.open>[0] & { readonly concurrency: number };
type Idle = { readonly session: SmtpSession; readonly expiry: NodeJS.Timeout };

const IDLE_MS = 10_000;
/** If another connection fails while some work, those must do: relays limit the number of connections. */
const DIAL_PAUSE_MS = 10_000;
const MAILS_PER_SESSION = 1000;
/** After that the limit is tested again: the refusal may have had another cause. */
const LIMIT_KEPT_MS = HOUR_MS;

export class SmtpPool {
  readonly #options: PoolOptions;
  readonly #open = new Set<SmtpSession>();
  readonly #waiting: Waiter[] = [];
  /** Mails that wait for a new session, one for each; those sessions are opened before all others. */
  readonly #waitingForNew: Waiter[] = [];
  #limit = { mails: MAILS_PER_SESSION, untilMs: Infinity };
  #idle: Idle[] = [];
  #dialing = 0;
  #dialPause: NodeJS.Timeout | null = null;
  #closed: (() => void) | null = null;

  constructor(options: PoolOptions) {
    this.#options = { ...options, concurrency: Math.max(1, options.concurrency) };
  }

  /** A session for one mail, to be given back; or the reason why none can be had. */
  take(): Promise<SmtpSession | HopRefusal> {
    if (this.#closed) return Promise.resolve(CLOSING);
    const session = this.#takeIdle();
    return session ? Promise.resolve(session) : this.#wait(this.#waiting);
  }

  /** A new session, for a mail that the last session refused because of the mails before it. */
  takeNew(): Promise<SmtpSession | HopRefusal> {
    if (this.#closed) return Promise.resolve(CLOSING);
    return this.#wait(this.#waitingForNew);
  }

  /** The relay takes this many mails in a session and refuses the next. */
  limitTo(mails: number): void {
    this.#limit = { mails, untilMs: clock.monotonicMs() + LIMIT_KEPT_MS };
  }

  give(session: SmtpSession): void {
    if (this.#isSpent(session) || this.#closed) return this.#retire(session);
    this.#hand(session);
  }

  #isSpent({ isOver, mails }: SmtpSession): boolean {
    if (clock.monotonicMs() > this.#limit.untilMs) this.#limit = { mails: MAILS_PER_SESSION, untilMs: Infinity };
    return isOver || mails >= this.#limit.mails;
  }

  #wait(line: Waiter[]): Promise<SmtpSession | HopRefusal> {
    return new Promise((resolve) => {
      line.push(resolve);
      this.#dial();
    });
  }

  /** One connection was dead: the idle ones are as old, and likely dead too. */
  dropIdle(): void {
    for (const { session, expiry } of this.#idle.splice(0)) {
      clearTimeout(expiry);
      this.#retire(session);
    }
  }

  /**
   * Lets the mails in hand finish if they take no longer than a grace period, refuses those that wait, and hangs up.
   */
  close(): Promise<void> {
    const deadline = setTimeout(() => this.#open.forEach((session) => session.end("We are shutting down")), CLOSING_MS);
    return new Promise<void>((resolve) => {
      this.#closed = resolve;
      if (this.#dialPause) clearTimeout(this.#dialPause);
      this.#turnAway(CLOSING);
      this.dropIdle();
      this.#reportClosed();
    }).finally(() => clearTimeout(deadline));
  }

  #takeIdle(): SmtpSession | null {
    for (;;) {
      const idle = this.#idle.pop();
      if (!idle) return null;
      clearTimeout(idle.expiry);
      if (!this.#isSpent(idle.session)) return idle.session;
      this.#retire(idle.session);
    }
  }

  #hand(session: SmtpSession): void {
    const isNew = session.mails === 0;
    // A new session needs the place: among endless mails, a mail that needs one would wait for ever. Each mail needs it
    // once.
    if (!isNew && this.#waitingForNew.length > this.#dialing) return this.#retire(session);
    const waiter = (isNew ? this.#waitingForNew.shift() : undefined) ?? this.#waiting.shift();
    if (waiter) return waiter(session);
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
    const wanted = this.#waiting.length + this.#waitingForNew.length;
    if (wanted <= this.#dialing || this.#open.size + this.#dialing >= this.#options.concurrency) return;
    if (this.#dialPause && this.#open.size > 0) return;
    this.#dialing++;
    void SmtpSession.open(this.#options).then((answer) => {
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

  #missed(reason: HopRefusal): void {
    if (this.#open.size + this.#dialing > 0) return this.#pauseDialing();
    this.#turnAway(reason);
  }

  #pauseDialing(): void {
    this.#dialPause ??= setTimeout(() => {
      this.#dialPause = null;
      this.#dial();
    }, DIAL_PAUSE_MS).unref();
  }

  #turnAway(reason: HopRefusal): void {
    for (const answer of [...this.#waitingForNew.splice(0), ...this.#waiting.splice(0)]) answer(reason);
  }

  #reportClosed(): void {
    if (this.#open.size === 0 && this.#dialing === 0) this.#closed?.();
  }
}
