// The port for email from outside: the check of its recipients, and the storing of a message before it is answered.
import { domainOf, parseAddress } from "../../base/addresses.ts";
import type { Clock } from "../../base/clock.ts";
import { ownName, type Config } from "../../base/config.ts";
import { readReturnPath, type ReturnPathOptions } from "../emails/return-path.ts";
import { ClientAddresses } from "../../http/client-address.ts";
import { ClientLimit } from "../../base/brakes/client-limit.ts";
import type { Address, Handlers, ServerSession } from "../../ground/smtp-listener/offered.ts";
import { MessageMemory } from "../../ground/smtp-listener/message-memory.ts";
import type { SmtpPort } from "../../ground/smtp-listener/ports.ts";
import { SmtpReply } from "../../ground/smtp-listener/smtp-reply.ts";
import type { Store } from "../../store/store.ts";
import { SLICE_BYTES, storeArrival, type ArrivalAddressee } from "./arrival.ts";
import { addresseesIn, holderOf, ownNames, type Holder, type HolderOptions } from "./holder.ts";

const MAX_ADDRESS_CHARS = 320;

/** Private addresses are not limited: a relay or a filter in front of us passes on the mail of all senders. */
const CLIENTS = new ClientAddresses([]);

type HandlerOptions = HolderOptions & {
  readonly clock: Clock;
  /** The mails that one client may begin. */
  readonly limit: ClientLimit;
};

/** No relaying: takes mail for the verified domains of workspaces and for our own return paths. */
function inboundHandlers(options: HandlerOptions): Handlers {
  return {
    logIn: null,
    sender: async (_, { remoteAddress }) => {
      const seconds = options.limit.take(CLIENTS.clientOf(remoteAddress, null), options.clock.monotonicMs());
      if (seconds > 0)
        throw new SmtpReply(450, "4.7.1", `Too many emails from your address; try again in ${seconds} s`);
    },
    recipient: async (address) => void (await holderAt(options, address)),
    // A notice may quote any bytes, and a refusal would be of no use to its sender.
    takesNulsOut: ({ envelope: { rcptTo } }) =>
      rcptTo.every(({ address }) => readReturnPath(options.returnPath, address) !== null),
    message: async (slices, session) => {
      await storeArrival(options.store, {
        session: factsOf(session),
        addressees: () => addressees(options, session),
        slices,
      });
      return "2.6.0 Stored";
    },
  };
}

/**
 * The holder of the recipient's mailbox.
 * @throws SmtpReply if the recipient is not ours
 */
async function holderAt(options: HandlerOptions, { address: text }: Address): Promise<Holder> {
  const address = addressIn(options, text);
  const holder = await holderOf(options, address);
  if (!holder) throw notOurs(options, address);
  if (holder.isDisabled) throw new SmtpReply(450, "4.2.1", "This domain accepts no email at the moment");
  return holder;
}

/** Checked again: a domain may have changed hands since RCPT. */
async function addressees(options: HandlerOptions, { envelope }: ServerSession): Promise<ArrivalAddressee[]> {
  const found = new Map<string, Holder>();
  for (const address of envelope.rcptTo)
    found.set(addressIn(options, address.address), await holderAt(options, address));
  return addresseesIn(found);
}

/**
 * In the stored form; a bare `postmaster` is ours.
 * @throws SmtpReply
 */
function addressIn(options: HandlerOptions, text: string): string {
  const whole = /^postmaster$/i.test(text) ? `${text}@${ownNames(options)[0]}` : text;
  const address = text.length > MAX_ADDRESS_CHARS ? null : parseAddress(whole);
  if (address === null) throw new SmtpReply(553, "5.1.3", "Invalid recipient address");
  return address;
}

function notOurs({ returnPath }: HandlerOptions, address: string): SmtpReply {
  const isReturnPath = domainOf(address) === returnPath.returnPathDomain?.toLowerCase();
  if (isReturnPath) return new SmtpReply(550, "5.1.1", "There is no such address");
  return new SmtpReply(550, "5.7.1", "This server accepts no email for this domain");
}

function factsOf({ remoteAddress, hostNameAppearsAs, envelope: { mailFrom } }: ServerSession) {
  const sender = mailFrom === false ? "" : mailFrom.address.slice(0, MAX_ADDRESS_CHARS);
  return { clientAddress: remoteAddress, helo: hostNameAppearsAs || "", sender };
}

type InboundPortOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly returnPath: ReturnPathOptions;
};

const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;
const MAX_RECIPIENTS = 50;
/** Messages in parallel, with a slice of that size each: 64 MB, apart from the memory of submission. */
const MEMORY = [{ bytes: SLICE_BYTES, places: 256 }];
/** The network around a client may begin this many times the mails of one client. */
const CLIENTS_A_NETWORK = 4;

export function inboundPort(config: Config, options: InboundPortOptions): SmtpPort {
  return {
    setting: "inboundPort",
    words: "email from outside",
    implicitTls: false,
    maxBytes: MAX_MESSAGE_BYTES,
    maxRecipients: MAX_RECIPIENTS,
    memory: new MessageMemory(MEMORY),
    utf8: () => true,
    handlers: inboundHandlers({ ...options, hostName: ownName(config), limit: limitOf(config) }),
  };
}

function limitOf({ limits }: Config): ClientLimit {
  return new ClientLimit({
    perClient: () => limits.inboundPerMinute,
    clientsPerNetwork: CLIENTS_A_NETWORK,
    windowMs: 60_000,
  });
}
