// Decides what a message in a bounce mailbox is: a report on a mail of ours, a report for a sender domain, email from
// outside if that is wanted, or none of these: then it stays as it is.
import { parseAddress } from "../../../base/addresses.ts";
import type { MailboxSettings } from "../../../base/config/mailboxes.ts";
import { reportPathOf } from "../../emails/return-path.ts";
import { SLICE_BYTES, type Arrival, type ArrivalAddressee } from "../arrival.ts";
import type { ReturnedMessage } from "../bounces/returned.ts";
import { provenMail, type Proofs } from "../bounces/take-complaint.ts";
import { addresseesIn, holderOf, type Holder, type HolderOptions } from "../holder.ts";

/** `left`: not about our mail; `large`: over the limit; `refused`: unreadable, or the port would refuse it. */
export type MailboxOutcome = "report" | "mail" | "left" | "large" | "gone" | "refused";

export type TakeOptions = HolderOptions & { readonly proofs: Proofs };

/** Empty = it is not about our mail. */
type Addressees = { readonly outcome: MailboxOutcome; readonly addressees: readonly ArrivalAddressee[] };

const LEFT: Addressees = { outcome: "left", addressees: [] };

/**
 * To whom the message goes, as if it had come by the port. A report that proves a mail of ours goes to the return path
 * of that mail, also if it was sent elsewhere: relays replace the return path by their own.
 */
export async function addresseesOf(
  options: TakeOptions,
  { asInbound, relay }: MailboxSettings,
  { marks, recipients }: ReturnedMessage,
): Promise<Addressees> {
  const { store, returnPath, proofs } = options;
  // Without an SMTP session, SPF cannot be checked: DMARC is not evaluated.
  const found = marks && (await store.read((reader) => provenMail(reader, { ...marks, isForged: false }, proofs)));
  if (found)
    return { outcome: "report", addressees: [{ workspace: null, recipients: [reportPathOf(returnPath, found.id)] }] };
  const owner = parseAddress(relay.user ?? "");
  for (const addresses of [...recipients, owner === null ? [] : [owner]]) {
    const holders = await holdersOf(options, addresses, asInbound);
    if (holders.size === 0) continue;
    const isReport = [...holders.values()].every(({ isForReports }) => isForReports);
    return { outcome: isReport ? "report" : "mail", addressees: addresseesIn(holders) };
  }
  return LEFT;
}

/** A return path takes only reports on a mail. */
async function holdersOf(options: TakeOptions, addresses: readonly string[], asInbound: boolean) {
  const found = new Map<string, Holder>();
  for (const address of addresses) {
    const holder = await holderOf(options, address);
    if (holder === null || holder.workspace === null || holder.isDisabled) continue;
    if (asInbound || holder.isForReports) found.set(address, holder);
  }
  return found;
}

/** A message as the port would have received it. */
export function arrivalOf(raw: Uint8Array, sender: string | null, addressees: readonly ArrivalAddressee[]): Arrival {
  return {
    session: { clientAddress: "", helo: "", sender: sender ?? "" },
    addressees: () => Promise.resolve(addressees),
    slices: slicesOf(raw),
  };
}

async function* slicesOf(raw: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at <= raw.length; at += SLICE_BYTES) yield raw.subarray(at, at + SLICE_BYTES);
}
