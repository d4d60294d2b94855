// Limits for sign-ups by anybody: with a public key, which everybody can read, or on a page without one.
import { DAY_MS, MINUTE_MS, type Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { ClientAddresses } from "../http/client-address.ts";
import { ClientLimit } from "../http/client-limit.ts";
import { SlidingLimit } from "../http/sliding-limit.ts";
import type { ContactRow } from "./queries.ts";
import { ASKED_AGAIN_AFTER_MS, type AskToConfirm, type ConfirmationMails } from "./sign-up.ts";

type SignUpOptions = {
  readonly clock: Clock;
  readonly clients: ClientAddresses;
  /** For one client; a network may do four times as much. 0 = no limit. */
  readonly perMinute: number;
};

const CLIENTS_A_NETWORK = 4;
const CONFIRMATIONS_A_DAY = 3;
/** Mails that ask for confirmation which a client may cause in a day, for each sign-up that it may make in a minute. */
const CONFIRMATIONS_A_SIGN_UP = 10;

/** A mail that asks for confirmation, and who has caused it. */
type Confirmation = {
  readonly workspace: number;
  readonly contact: Pick<ContactRow, "email" | "status">;
  readonly client: string | null;
};

export class SignUpLimits {
  readonly #options: SignUpOptions;
  readonly #signUps: ClientLimit;
  readonly #confirmations = new SlidingLimit(CONFIRMATIONS_A_DAY, DAY_MS);
  readonly #confirmationsOf: ClientLimit;
  /** Of ACTIVE contacts, which have no term that tells when they were asked. */
  readonly #askedLately = new SlidingLimit(1, ASKED_AGAIN_AFTER_MS);

  constructor(options: SignUpOptions) {
    this.#options = options;
    this.#signUps = new ClientLimit({
      perClient: options.perMinute,
      perNetwork: options.perMinute * CLIENTS_A_NETWORK,
      windowMs: MINUTE_MS,
    });
    const perClient = options.perMinute * CONFIRMATIONS_A_SIGN_UP;
    const perNetwork = perClient * CLIENTS_A_NETWORK;
    this.#confirmationsOf = new ClientLimit({ perClient, perNetwork, windowMs: DAY_MS });
  }

  /** The client behind a request, null if it cannot be told from others; `peer` is who is connected. */
  clientOf(request: Request, peer: string | undefined): string | null {
    return this.#options.clients.ofRequest(request, peer);
  }

  /** Counts one sign-up of a client. @throws AppError RATE_LIMIT_EXCEEDED */
  signUp(client: string | null): void {
    const seconds = this.#signUps.take(client, this.#options.clock.monotonicMs());
    if (seconds > 0) throw tooMany("Too many people have signed up from this address within a minute.", seconds);
  }

  /**
   * Counts one mail that asks for confirmation; answers how to take that back, or for how many seconds that would be too many;
   * null = an ACTIVE contact has been asked within a quarter of an hour.
   */
  confirm({ workspace, contact: { email, status }, client }: Confirmation): (() => void) | number | null {
    const nowMs = this.#options.clock.monotonicMs();
    const address = `${workspace} ${email}`;
    if (status === "ACTIVE" && this.#askedLately.waitSeconds(address, nowMs) > 0) return null;
    const mailbox = `${workspace} ${withoutTag(email)}`;
    const ofMailbox = this.#confirmations.waitSeconds(mailbox, nowMs);
    const seconds = Math.max(ofMailbox, this.#confirmationsOf.waitSeconds(client, nowMs));
    if (seconds > 0) return seconds;
    this.#confirmations.count(mailbox, nowMs);
    this.#confirmationsOf.count(client, nowMs);
    if (status === "ACTIVE") this.#askedLately.count(address, nowMs);
    return () => {
      this.#askedLately.uncount(address, nowMs);
      this.#confirmations.uncount(mailbox, nowMs);
      this.#confirmationsOf.uncount(client, nowMs);
    };
  }
}

/** What one request that records something of a contact may do about sign-ups. */
export type SignUpGuard = ConfirmationMails & {
  /** Called when a contact was made. @throws AppError RATE_LIMIT_EXCEEDED, which undoes that */
  readonly admitNew: () => void;
};

type PublicCaller = {
  readonly client: string | null;
  /** The request says that the contact is to be subscribed. */
  readonly isAskedFor: boolean;
  readonly ask: AskToConfirm;
};

/**
 * Does `work` for a caller with a public key. A transaction that is run again counts once; if all is undone, the mail that asks for
 * confirmation does not count, as it does not leave.
 */
export async function withinLimits<Result>(
  limits: SignUpLimits,
  { client, isAskedFor, ask }: PublicCaller,
  work: (guard: SignUpGuard) => Promise<Result>,
): Promise<Result> {
  let isAdmitted = false;
  let counted: (() => void) | number | null = null;
  const mayAsk = (workspace: number, contact: ContactRow) => {
    counted ??= limits.confirm({ workspace, contact, client });
    if (typeof counted === "function") return true;
    if (isAskedFor && counted !== null)
      throw tooMany("Enough mails that ask for confirmation have been sent.", counted);
    return false;
  };
  const admitNew = () => {
    if (!isAdmitted) limits.signUp(client);
    isAdmitted = true;
  };
  try {
    return await work({ ask, mayAsk, admitNew });
  } catch (error) {
    uncount(counted);
    throw error;
  }
}

function uncount(counted: (() => void) | number | null): void {
  if (typeof counted === "function") counted();
}

/** Mail with a tag goes to the same mailbox (RFC 5233): `ada+shop@example.com` is Ada's. */
function withoutTag(email: string): string {
  return email.replace(/^([^+"]+)\+.*(?=@)/, "$1");
}

function tooMany(message: string, retryAfterSeconds: number): AppError {
  return new AppError("RATE_LIMIT_EXCEEDED", message, { retryAfterSeconds });
}
