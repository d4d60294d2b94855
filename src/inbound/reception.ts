// The port on which mail from outside comes in.
import type { Clock } from "../clock.ts";
import { ownName, type Config } from "../config.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import { ClientLimit } from "../http/client-limit.ts";
import type { Door } from "../smtp-listener/ports.ts";
import { Room } from "../smtp-listener/room.ts";
import type { Store } from "../store/store.ts";
import { inboundDesk } from "./desk.ts";
import { SLICE_BYTES } from "./message.ts";

type ReceptionOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly returnPath: ReturnPathOptions;
};

const LARGEST_MESSAGE_BYTES = 25 * 1024 * 1024;
const MOST_RECIPIENTS = 50;
/** 64 MB, and nothing of them for those who log in. */
const ROOM = [{ bytes: SLICE_BYTES, places: 256 }];
/** The network around a client may bring so many times as much as one client. */
const CLIENTS_A_NETWORK = 4;

export function receptionDoor(config: Config, options: ReceptionOptions): Door {
  return {
    setting: "inboundPort",
    words: "mail from outside",
    implicitTls: false,
    maxBytes: LARGEST_MESSAGE_BYTES,
    maxRecipients: MOST_RECIPIENTS,
    room: new Room(ROOM),
    utf8: true,
    desk: inboundDesk({ ...options, hostName: ownName(config), limit: limitOf(config) }),
  };
}

function limitOf({ limits }: Config): ClientLimit {
  const perClient = limits.inboundPerMinute;
  return new ClientLimit({ perClient, perNetwork: CLIENTS_A_NETWORK * perClient, windowMs: 60_000 });
}
