// The ticket of a sign-in at a provider: its state, nonce and PKCE verifier, encrypted. The browser keeps it and no
// node does, so each node can finish what another has begun. A ticket is good once, for ten minutes, and for one
// purpose.
import { iso, MINUTE_MS } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { sha256Hex } from "../../../base/ids.ts";
import { UnreadableError, type Secrets } from "../../../base/secrets.ts";
import type { Tx } from "../../../store/store.ts";
import { insertSpent } from "../passkeys/queries.ts";

const VALID_MS = 10 * MINUTE_MS;

/** A stranger signs in; or a user links an account, or proves who they are. */
export type TicketSubject = "sign in" | `user ${number}`;

export type SignInTicket = {
  readonly subject: TicketSubject;
  /** The name of the provider. */
  readonly provider: string;
  /** Comes back in the query of the answer. */
  readonly state: string;
  /** Comes back in the ID token. */
  readonly nonce: string;
  /** The PKCE verifier; the provider has its hash. */
  readonly verifier: string;
  readonly begunAtMs: number;
};

export function sealTicket(secrets: Secrets, ticket: SignInTicket): string {
  return secrets.encrypt(JSON.stringify(ticket));
}

/** @throws AppError SIGN_IN_FAILED if it is not ours, has ended, or is for something else */
export function openTicket(secrets: Secrets, text: string, subject: TicketSubject, nowMs: number): SignInTicket {
  const ticket = read(secrets, text);
  if (ticket?.subject === subject && ticket.begunAtMs + VALID_MS > nowMs) return ticket;
  throw over();
}

function read(secrets: Secrets, text: string): SignInTicket | null {
  try {
    return JSON.parse(secrets.decrypt(text)) as SignInTicket;
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
}

/** @throws AppError SIGN_IN_FAILED if it was used before */
export async function spend(tx: Tx, { state }: SignInTicket): Promise<void> {
  if ((await insertSpent(tx, sha256Hex(state), iso(tx.nowMs + VALID_MS))) === 0) throw over();
}

function over(): AppError {
  return new AppError("SIGN_IN_FAILED", "This sign-in took too long, or was used before.", {
    reason: "provider_ticket",
    suggestion: "Begin again.",
  });
}
