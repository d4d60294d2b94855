// How many requests one client may make with a public key, which anybody can read: no stranger uses up the limit of a workspace.
import { MINUTE_MS, type Clock } from "../clock.ts";
import { readJson, UNREAD, type BodyRoom } from "../http/body.ts";
import type { ClientAddresses } from "../http/client-address.ts";
import { ClientLimit } from "../http/client-limit.ts";
import { RequestLimit } from "../http/request-limit.ts";

type PublicRequestOptions = {
  readonly clock: Clock;
  readonly clients: ClientAddresses;
  /** People that a client may sign up in a minute; it may ask ten times as often, its network twenty times. 0 = no limit. */
  readonly signUpsPerMinute: number;
  /** What the workspace may ask in all. */
  readonly requestsPerMinute: number;
};

/** A request as its route has it, before the body is read. */
export type Incoming = {
  readonly request: Request;
  readonly server: { requestIP(request: Request): { readonly address: string } | null } | null;
  body: unknown;
};

const REQUESTS_A_SIGN_UP = 10;
const CLIENTS_A_NETWORK = 2;

export class PublicRequests {
  readonly #options: PublicRequestOptions;
  readonly #limit: ClientLimit;
  /** For those who want to leave, whose client asks too often: it is not what the workspace's other requests are counted by. */
  readonly leaving: RequestLimit;

  constructor(options: PublicRequestOptions) {
    this.#options = options;
    const perClient = options.signUpsPerMinute * REQUESTS_A_SIGN_UP;
    this.#limit = new ClientLimit({ perClient, perNetwork: perClient * CLIENTS_A_NETWORK, windowMs: MINUTE_MS });
    this.leaving = new RequestLimit(options.requestsPerMinute);
  }

  /** Counts the request by its client; answers for how many seconds that client may not ask, 0 if this one is let in. */
  take({ request, server }: Incoming): number {
    const { clients, clock } = this.#options;
    const client = clients.ofRequest(request, server?.requestIP(request)?.address);
    return this.#limit.take(client, clock.monotonicMs());
  }
}

/** Whether the body asks to unsubscribe the contact (`subscribed: false`); it is read for that, if there is room. */
export async function wantsToLeave(incoming: Incoming, room: BodyRoom): Promise<boolean> {
  try {
    if (incoming.body === UNREAD) incoming.body = await readJson(incoming.request, room);
    return (incoming.body as { readonly subscribed?: unknown } | null)?.subscribed === false;
  } catch {
    return false;
  }
}
