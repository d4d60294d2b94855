// What the door for mail from outside decides: whose mail it is, and that it is stored before it is answered for.
import { domainOf, parseAddress } from "../addresses.ts";
import { readReturnPath, type ReturnPathOptions } from "../emails/return-path.ts";
import type { Address, Desk, Session } from "../smtp-listener/listener.ts";
import { SmtpReply } from "../smtp-listener/smtp-reply.ts";
import type { Store } from "../store/store.ts";
import { verifierOf } from "../workspaces/domain-queries.ts";
import { storeArrival } from "./coming-in.ts";
import type { Addressee } from "./message.ts";

const MOST_ADDRESS_CHARS = 320;

/** No relaying: verified domains of workspaces, and return paths that we have made (interface-gaps.md §7 "Inbound"). */
export function inboundDesk(store: Store, returnPath: ReturnPathOptions): Desk {
  return {
    logIn: null,
    sender: async () => undefined,
    recipient: async (address) => void (await holderOf(store, returnPath, address)),
    message: async (slices, session) => {
      await storeArrival(store, {
        session: factsOf(session),
        addressees: () => addressees(store, returnPath, session),
        slices,
      });
      return "2.6.0 Stored";
    },
  };
}

/** The workspace that gets the mail, null for a return path. @throws SmtpReply if nobody here does */
async function holderOf(
  store: Store,
  returnPath: ReturnPathOptions,
  { address: text }: Address,
): Promise<number | null> {
  const address = addressIn(text);
  if (readReturnPath(returnPath, address) !== null) return null;
  const holder = await store.read((reader) => verifierOf(reader, domainOf(address)));
  if (!holder) throw notOurs(address, returnPath);
  if (holder.disabled_at !== null) throw new SmtpReply(450, "4.2.1", "This domain takes no mail at the moment");
  return holder.workspace;
}

/** Asked again: a domain may have changed hands since RCPT. One message for each workspace. */
async function addressees(store: Store, returnPath: ReturnPathOptions, { envelope }: Session): Promise<Addressee[]> {
  const found = new Map<string, number | null>();
  for (const address of envelope.rcptTo)
    found.set(addressIn(address.address), await holderOf(store, returnPath, address));
  const byWorkspace = Map.groupBy(found, ([, workspace]) => workspace);
  return [...byWorkspace].map(([workspace, entries]) => ({
    workspace,
    recipients: entries.map(([address]) => address),
  }));
}

/** In the form that is stored. @throws SmtpReply */
function addressIn(text: string): string {
  const address = text.length > MOST_ADDRESS_CHARS ? null : parseAddress(text);
  if (address === null) throw new SmtpReply(553, "5.1.3", "This is no address that mail can go to");
  return address;
}

function notOurs(address: string, { returnPathDomain }: ReturnPathOptions): SmtpReply {
  const isReturnPath = domainOf(address) === returnPathDomain?.toLowerCase();
  if (isReturnPath) return new SmtpReply(550, "5.1.1", "There is no such address");
  return new SmtpReply(550, "5.7.1", "Mail for this domain is not taken here");
}

function factsOf({ remoteAddress, hostNameAppearsAs, envelope: { mailFrom } }: Session) {
  const sender = mailFrom === false ? "" : mailFrom.address.slice(0, MOST_ADDRESS_CHARS);
  return { clientAddress: remoteAddress, helo: hostNameAppearsAs || "", sender };
}
