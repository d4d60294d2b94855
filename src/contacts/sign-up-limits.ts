// How much strangers may do: those who sign up with a public key or on a page, whose key anybody can read.
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { ClientAddresses } from "../http/client-address.ts";
import { ClientLimit } from "../http/client-limit.ts";
import { SlidingLimit } from "../http/sliding-limit.ts";
import type { AskToConfirm } from "./sign-up.ts";

export type SignUpOptions = {
  readonly clock: Clock;
  readonly clients: ClientAddresses;
  /** For one client; a network may do four times as much. 0 = no limit. */
  readonly perMinute: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const CLIENTS_A_NETWORK = 4;
const CONFIRMATIONS_A_DAY = 3;

export class SignUpLimits {
  readonly #options: SignUpOptions;
  readonly #signUps: ClientLimit;
  readonly #confirmations = new SlidingLimit(CONFIRMATIONS_A_DAY, DAY_MS);

  constructor(options: SignUpOptions) {
    this.#options = options;
    this.#signUps = new ClientLimit({
      perClient: options.perMinute,
      perNetwork: options.perMinute * CLIENTS_A_NETWORK,
      windowMs: MINUTE_MS,
    });
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

  /** Counts one confirmation mail to an address; answers false, or throws where somebody asked for it, if that is too many. */
  mayConfirm(workspace: number, email: string, isAskedFor: boolean): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    const key = `${workspace} ${email}`;
    const seconds = this.#confirmations.waitSeconds(key, nowMs);
    if (seconds === 0) this.#confirmations.count(key, nowMs);
    else if (isAskedFor) throw tooMany("This address has been sent enough mails that ask for confirmation.", seconds);
    return seconds === 0;
  }
}

/** What is done for one request that records something of a contact. */
export type Hands = {
  readonly ask: AskToConfirm;
  /** Called when a contact was made. @throws AppError RATE_LIMIT_EXCEEDED, which undoes that */
  readonly admitNew: () => void;
};

/** `isAskedFor`: the request says that the contact is to be subscribed. What is run again counts once. */
export function withinLimits(
  limits: SignUpLimits,
  client: string | null,
  isAskedFor: boolean,
  ask: AskToConfirm,
): Hands {
  let isAdmitted = false;
  let mayConfirm: boolean | null = null;
  return {
    admitNew: () => {
      if (!isAdmitted) limits.signUp(client);
      isAdmitted = true;
    },
    ask: async (tx, workspace, contact) => {
      mayConfirm ??= limits.mayConfirm(workspace, contact.email, isAskedFor);
      if (mayConfirm) await ask(tx, workspace, contact);
    },
  };
}

function tooMany(message: string, retryAfterSeconds: number): AppError {
  return new AppError("RATE_LIMIT_EXCEEDED", message, { retryAfterSeconds });
}
