// The SMTP transport: one relay (RFC 5321 client side), over a pool of connections, first come first served.
import { systemClock } from "../../../base/clock.ts";
import { BAD_ENVELOPE, wireEnvelope } from "../transport/envelope.ts";
import { HandOverSpacing } from "../transport/spacing.ts";
import {
  ANSWER_TIMEOUT_MS,
  TAKEN_OVER,
  type FinishedMessage,
  type HandoverOutcome,
  type Transport,
} from "../transport/transport.ts";
import { openConnection, type RelayAddress } from "./opening.ts";
import { SmtpPool } from "./pool.ts";
import { SmtpSession } from "./session.ts";

export type SmtpRelayOptions = RelayAddress & {
  /**
   * The longest wait for the relay to take a piece of a message, and then to answer for all of it; ten minutes unless
   * given.
   */
  readonly answerTimeoutMs?: number;
  /** The most connections; opened as mails wait, closed when idle for ten seconds. */
  readonly concurrency: number;
  /** The least time between two departures; 0 = none. */
  readonly gapMs: number;
};

type RelayPool = { readonly pool: SmtpPool; readonly spacing: HandOverSpacing };

/**
 * Hands every message to the relay over a few lasting connections. For one `send`, beside the wait for a free
 * connection, opening takes at most 2 (4 if an access token is renewed) and the commands before the message at most 4
 * times `timeoutMs`; both happen twice at most.
 */
export function smtpRelay({ gapMs, ...options }: SmtpRelayOptions): Transport {
  const answerTimeoutMs = options.answerTimeoutMs ?? Math.max(ANSWER_TIMEOUT_MS, options.timeoutMs);
  const relay = {
    pool: new SmtpPool({ ...options, answerTimeoutMs }),
    spacing: new HandOverSpacing(gapMs, systemClock),
  };
  return {
    send: (message) => handOver(relay, message),
    look: () => relayFault(options),
    close: () => relay.pool.close(),
  };
}

const LONGEST_LOOK_MS = 10_000;

/** Opens a connection, login included. */
async function relayFault(address: RelayAddress): Promise<string | null> {
  const opened = await openConnection({ ...address, timeoutMs: Math.min(address.timeoutMs, LONGEST_LOOK_MS) });
  if ("kind" in opened) return opened.reply;
  void opened.dialogue.quit();
  return null;
}

async function handOver(relay: RelayPool, message: FinishedMessage): Promise<HandoverOutcome> {
  const envelope = wireEnvelope(message.envelope);
  if (envelope === null) return BAD_ENVELOPE;
  const first = await attempt(relay, { ...message, envelope }, () => relay.pool.take());
  if (!first.stale) return first.outcome;
  const { outcome } = await attempt(relay, { ...message, envelope }, () => relay.pool.takeNew());
  // A refusal by a new session was not caused by the mails before it.
  if (first.limit === null || outcome.kind !== "accepted") return outcome;
  relay.pool.limitTo(first.limit);
  return { ...outcome, mailsPerSession: first.limit };
}

async function attempt(
  { pool, spacing }: RelayPool,
  message: FinishedMessage,
  take: () => ReturnType<SmtpPool["take"]>,
) {
  const session = await take();
  if (!(session instanceof SmtpSession)) return { outcome: session, stale: false, limit: null };
  if (!(await spacing.turnOf(message))) {
    pool.give(session);
    return { outcome: TAKEN_OVER, stale: false, limit: null };
  }
  const result = await session.send(message);
  if (result.stale) pool.dropIdle();
  pool.give(session);
  return result;
}
