// Mail leaves through one SMTP relay (RFC 5321 client side).
import { systemClock } from "../../clock.ts";
import { BAD_ENVELOPE, wireEnvelope } from "../envelope.ts";
import type { RelayAddress } from "./opening.ts";
import { SmtpPool } from "./pool.ts";
import { SmtpSession } from "./session.ts";
import { Spacing } from "../spacing.ts";
import { TAKEN_OVER, type FinishedMessage, type Outcome, type Transport } from "../transport.ts";

export type SmtpRelayOptions = RelayAddress & {
  /** Connections at most; opened as mails wait, closed when idle for ten seconds. */
  readonly concurrency: number;
  /** Time between two departures at least; 0 = none. */
  readonly gapMs: number;
};

type Relay = { readonly pool: SmtpPool; readonly spacing: Spacing };

/**
 * Hands every message to the relay over a few lasting connections. Of one `send`, waiting for a free connection aside,
 * opening takes at most 2 and handing over at most 5 times `timeoutMs`; both happen twice at most.
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
