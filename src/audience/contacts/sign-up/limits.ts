// Limits for public sign-ups: with a public key, which anybody can read, or on a page without a key.
import { DAY_MS, MINUTE_MS, type Clock } from "../../../base/clock.ts";
import { AppError, orRefused } from "../../../base/errors.ts";
import type { ClientAddresses } from "../../../http/client-address.ts";
import { ClientLimit } from "../../../base/brakes/client-limit.ts";
import { SlidingLimit } from "../../../base/brakes/sliding-limit.ts";
import { canonical } from "./mailbox.ts";
import type { Contact } from "../queries.ts";
import { ASKED_AGAIN_AFTER_MS, type ConfirmationMails, type ConfirmationServices, type Wish } from "./sign-up.ts";

type SignUpOptions = {
  readonly clock: Clock;
  readonly clients: ClientAddresses;
  /** Asked each time; a network may make four times as many as one client. 0 = no limit. */
  readonly perMinute: () => number;
};

const CLIENTS_A_NETWORK = 4;
const CONFIRMATIONS_A_DAY = 3;
/** Confirmation mails that a client may cause in a day, for each sign-up that it may make in a minute. */
const CONFIRMATIONS_A_SIGN_UP = 10;

/** Bun's server, which knows the address of the peer. */
export type PeerAddresses = { requestIP(request: Request): { readonly address: string } | null } | null;

export class SignUpLimits {
  readonly #options: SignUpOptions;
  readonly #signUps: ClientLimit;
  readonly #confirmations = new SlidingLimit(CONFIRMATIONS_A_DAY, DAY_MS);
  readonly #confirmationsOf: ClientLimit;
  /** For ACTIVE contacts, which have no term that tells when they were last asked. */
  readonly #askedLately = new SlidingLimit(1, ASKED_AGAIN_AFTER_MS);

  constructor(options: SignUpOptions) {
    this.#options = options;
    this.#signUps = new ClientLimit({
      perClient: options.perMinute,
      clientsPerNetwork: CLIENTS_A_NETWORK,
      windowMs: MINUTE_MS,
    });
    this.#confirmationsOf = new ClientLimit({
      perClient: () => options.perMinute() * CONFIRMATIONS_A_SIGN_UP,
      clientsPerNetwork: CLIENTS_A_NETWORK,
      windowMs: DAY_MS,
    });
  }

  /** The client of a request; null if it cannot be told apart from others. */
  clientOf(request: Request, server: PeerAddresses): string | null {
    return this.#options.clients.ofRequest(request, server?.requestIP(request)?.address);
  }

  /** Counts one sign-up of a client. @throws AppError RATE_LIMIT_EXCEEDED */
  signUp(client: string | null): void {
    const seconds = this.#signUps.take(client, this.#options.clock.monotonicMs());
    if (seconds > 0) throw tooMany("Too many people have signed up from this address within a minute.", seconds);
  }

  /**
   * Counts one confirmation mail. Answers a function that uncounts it, or the seconds until another one may go; null =
   * an ACTIVE contact was asked within the last quarter of an hour.
   */
  confirm(
    workspace: number,
    { email, status, about = "" }: ConfirmationPerson,
    client: string | null,
  ): (() => void) | number | null {
    const nowMs = this.#options.clock.monotonicMs();
    const address = `${workspace} ${email} ${about}`;
    if (status === "ACTIVE" && this.#askedLately.waitSeconds(address, nowMs) > 0) return null;
    const mailbox = `${workspace} ${mailboxOf(email)}`;
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

type ConfirmationPerson = Pick<Contact, "email" | "status"> & {
  /** The further matter that the person confirms, besides the subscription. */
  readonly about?: string;
};

/**
 * Runs `work` for a caller with a public key. A refusal comes before any change, so that other requests in the same
 * transaction continue. `isAskedFor`: the request asks to subscribe the contact. A transaction that runs again counts
 * once. If it fails, the confirmation mail does not count, since it never leaves.
 */
export async function withinLimits<Result>(
  limits: SignUpLimits,
  caller: { readonly client: string | null; readonly isAskedFor: boolean; readonly confirming: ConfirmationServices },
  work: (guard: ConfirmationMails) => Promise<Result>,
): Promise<Result> {
  const { client, isAskedFor, confirming } = caller;
  let isAdmitted = false;
  let counted: (() => void) | number | null = null;
  const mayAsk = (workspace: number, contact: ConfirmationPerson) => {
    counted ??= limits.confirm(workspace, contact, client);
    return typeof counted === "function";
  };
  const admit = ({ workspace, isNew, isAsked, ...person }: Wish) => {
    const isRefused = isAsked && !mayAsk(workspace, person) && isAskedFor;
    if (isRefused && typeof counted === "number")
      return tooMany("Too many confirmation emails were requested.", counted);
    const refusal = isNew && !isAdmitted ? orRefused(() => limits.signUp(client)) : undefined;
    if (refusal) return refusal;
    isAdmitted ||= isNew;
    return null;
  };
  try {
    return await work({ ...confirming, mayAsk, admit });
  } catch (error) {
    uncount(counted);
    throw error;
  }
}

function uncount(counted: (() => void) | number | null): void {
  if (typeof counted === "function") counted();
}

/** A tagged address is the same mailbox (RFC 5233): `ada+shop@example.com` is Ada's. Providers ignore more parts. */
function mailboxOf(email: string): string {
  return canonical(email.replace(/^([^+"]+)\+.*(?=@)/, "$1"));
}

function tooMany(message: string, retryAfterSeconds: number): AppError {
  return new AppError("RATE_LIMIT_EXCEEDED", message, { retryAfterSeconds });
}
