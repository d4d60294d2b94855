// Mail leaves through one SMTP relay (RFC 5321 client side), over a pool of connections, first come first served.
import { systemClock } from "../../clock.ts";
import { BAD_ENVELOPE, wireEnvelope } from "../transport/envelope.ts";
import { Spacing } from "../transport/spacing.ts";
import { TAKEN_OVER, type FinishedMessage, type Outcome, type Transport } from "../transport/transport.ts";
import type { RelayAddress } from "./opening.ts";
import { SmtpPool } from "./pool.ts";
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
  return first.stale ? (await attempt(relay, { ...message, envelope }, true)).outcome : first.outcome;
}

/** `isAlone`: behind no other message. */
async function attempt({ pool, spacing }: Relay, message: FinishedMessage, isAlone = false) {
  const session = await pool.take(isAlone);
  if (!(session instanceof SmtpSession)) return { outcome: session, stale: false };
  if (!(await spacing.turnOf(message))) {
    pool.give(session);
    return { outcome: TAKEN_OVER, stale: false };
  }
  const result = await session.send(message, () => {
    // Behind a message the next one leaves when that has been answered for, which may be long after its own turn.
    if (!spacing.hasRate) pool.share(session);
  });
  if (result.wasBehind) pool.wentBehind(!result.stale);
  if (result.stale) pool.dropIdle();
  pool.give(session);
  return result;
}
