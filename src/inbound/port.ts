// The port on which mail from outside comes in.
import type { Clock } from "../clock.ts";
import { ownName, type Config } from "../config.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import { ClientLimit } from "../http/client-limit.ts";
import type { SmtpPort } from "../smtp-listener/ports.ts";
import { MessageMemory } from "../smtp-listener/message-memory.ts";
import type { Store } from "../store/store.ts";
import { inboundHandlers } from "./handlers.ts";
import { SLICE_BYTES } from "./message.ts";

type InboundPortOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly returnPath: ReturnPathOptions;
};

const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;
const MAX_RECIPIENTS = 50;
/** So many messages at once in slices of that size: 64 MB, apart from the memory of submission. */
const MEMORY = [{ bytes: SLICE_BYTES, places: 256 }];
/** The network around a client may begin so many times as many mails as one client. */
const NETWORK_FACTOR = 4;

export function inboundPort(config: Config, options: InboundPortOptions): SmtpPort {
  return {
    setting: "inboundPort",
    words: "mail from outside",
    implicitTls: false,
    maxBytes: MAX_MESSAGE_BYTES,
    maxRecipients: MAX_RECIPIENTS,
    memory: new MessageMemory(MEMORY),
    utf8: true,
    handlers: inboundHandlers({ ...options, hostName: ownName(config), limit: limitOf(config) }),
  };
}

function limitOf({ limits }: Config): ClientLimit {
  const perClient = limits.inboundPerMinute;
  return new ClientLimit({ perClient, perNetwork: NETWORK_FACTOR * perClient, windowMs: 60_000 });
}
