// The limit on one client's requests with a public key. Anyone can read the key, so a stranger must not use up the
// workspace's limit.
import { MINUTE_MS, type Clock } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { readJson, UNREAD, type BodyRoom } from "../../http/body/body.ts";
import type { ClientAddresses } from "../../http/client-address.ts";
import { ClientLimit } from "../../base/brakes/client-limit.ts";
import { SlidingLimit } from "../../base/brakes/sliding-limit.ts";

type PublicRequestOptions = {
  readonly clock: Clock;
  readonly clients: ClientAddresses;
  /**
   * Sign-ups of one client in a minute, which may make ten times as many requests, its network twenty times; and
   * requests of the whole workspace.
   */
  readonly limits: Pick<Config["limits"], "signUpsPerMinute" | "requestsPerMinute">;
};

/** A request as its route sees it, before the body is read. */
export type PublicRequest = {
  readonly request: Request;
  readonly server: { requestIP(request: Request): { readonly address: string } | null } | null;
  body: unknown;
};

const REQUESTS_A_SIGN_UP = 10;
const CLIENTS_A_NETWORK = 2;

export class PublicRequests {
  readonly #options: PublicRequestOptions;
  readonly #limit: ClientLimit;
  /** For unsubscribing by a client over its limit: counted apart from the workspace's other requests. */
  readonly leaving: SlidingLimit;

  constructor(options: PublicRequestOptions) {
    this.#options = options;
    const { limits } = options;
    const perClient = () => limits.signUpsPerMinute * REQUESTS_A_SIGN_UP;
    this.#limit = new ClientLimit({ perClient, clientsPerNetwork: CLIENTS_A_NETWORK, windowMs: MINUTE_MS });
    this.leaving = new SlidingLimit(() => limits.requestsPerMinute, MINUTE_MS);
  }

  /** Counts a request of its client; answers the seconds for which the client is refused, 0 = it is admitted. */
  take({ request, server }: PublicRequest): number {
    const { clients, clock } = this.#options;
    const client = clients.ofRequest(request, server?.requestIP(request)?.address);
    return this.#limit.take(client, clock.monotonicMs());
  }
}

/** Whether the body unsubscribes the contact (`subscribed: false`). Reads the body, if there is room. */
export async function wantsToLeave(incoming: PublicRequest, room: BodyRoom): Promise<boolean> {
  try {
    if (incoming.body === UNREAD) incoming.body = await readJson(incoming.request, room);
    return (incoming.body as { readonly subscribed?: unknown } | null)?.subscribed === false;
  } catch {
    return false;
  }
}
