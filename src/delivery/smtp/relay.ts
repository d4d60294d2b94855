// Mail leaves through one SMTP relay (RFC 5321 client side), over a pool of connections, first come first served.
import { systemClock } from "../../clock.ts";
import { BAD_ENVELOPE, wireEnvelope } from "../transport/envelope.ts";
import { Spacing } from "../transport/spacing.ts";
import {
  CLOSING,
  TAKEN_OVER,
  type FinishedMessage,
  type Outcome,
  type Refusal,
  type Transport,
} from "../transport/transport.ts";
import type { RelayAddress } from "./opening.ts";
import { SmtpSession } from "./session.ts";

export type SmtpRelayOptions = RelayAddress & {
  /** The most connections; opened as mails wait, closed when idle for ten seconds. */
  readonly concurrency: number;
  /** The least time between two departures; 0 = none. */
  readonly gapMs: number;
};

type Relay = { readonly pool: SmtpPool; readonly spacing: Spacing };

/**
 * Hands every message to the relay over a few lasting connections. For one `send`, beside the wait for a free connection, opening takes
 * at most 2 and handing over at most 5 times `timeoutMs`; both happen twice at most.
 */
export function smtpRelay({ concurrency, gapMs, ...address }: SmtpRelayOptions): Transport {
  const relay = { pool: new SmtpPool(address, concurrency), spacing: new Spacing(gapMs, systemClock) };
  return {
    send: (message) => handOver(relay, message),
    close: () => relay.pool.close(),
  };
}

async function handOver(relay: Relay, message: FinishedMessage): Promise<Outcome> {
  const envelope = wireEnvelope(message.envelope);
  if (envelope === null) return BAD_ENVELOPE;
  const first = await attempt(relay, { ...message, envelope });
  return first.stale ? (await attempt(relay, { ...message, envelope })).outcome : first.outcome;
}

async function attempt({ pool, spacing }: Relay, message: FinishedMessage) {
  const session = await pool.take();
  if (!(session instanceof SmtpSession)) return { outcome: session, stale: false };
  if (!(await spacing.turnOf(message))) {
    pool.give(session);
    return { outcome: TAKEN_OVER, stale: false };
  }
  const result = await session.send(message);
  if (result.stale) pool.dropIdle();
  pool.give(session);
  return result;
}

type Waiter = (answer: SmtpSession | Refusal) => void;
type Idle = { readonly session: SmtpSession; readonly expiry: NodeJS.Timeout };

const IDLE_MS = 10_000;
/** If another connection fails while some work, those must do: relays limit how many they allow. */
const DIAL_PAUSE_MS = 10_000;

class SmtpPool {
  readonly #address: RelayAddress;
  readonly #concurrency: number;
  readonly #open = new Set<SmtpSession>();
  readonly #waiting: Waiter[] = [];
  #idle: Idle[] = [];
  #dialing = 0;
  #dialPause: NodeJS.Timeout | null = null;
  #closed: (() => void) | null = null;

  constructor(address: RelayAddress, concurrency: number) {
    this.#address = address;
    this.#concurrency = Math.max(1, concurrency);
  }

  /** A session for one mail, to be given back; or the reason why there is none. */
  take(): Promise<SmtpSession | Refusal> {
    if (this.#closed) return Promise.resolve(CLOSING);
    const session = this.#takeIdle();
    if (session) return Promise.resolve(session);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#dial();
    });
  }

  give(session: SmtpSession): void {
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
    for (const waiter of this.#waiting.splice(0)) waiter(reason);
  }

  #reportClosed(): void {
    if (this.#open.size === 0 && this.#dialing === 0) this.#closed?.();
  }
}
