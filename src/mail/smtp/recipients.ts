// The recipients of an envelope, with their places in the header of the message.
import { parseAddress } from "../../base/addresses.ts";
import type { Recipient } from "../emails/door/request.ts";
import { addressTokens, inside, type AddressToken } from "../../content/mime/address-tokens.ts";
import type { SmtpSubmission } from "./submitted.ts";

/** With several recipients, those in neither To nor Cc are hidden from the others. */
export function recipientsIn({ to, cc }: SmtpSubmission, addresses: readonly string[]): Recipient[] {
  if (addresses.length === 1) return addresses.map((address) => ({ address, name: null }));
  const [inTo, inCc] = [fieldAddresses(to), fieldAddresses(cc)];
  return addresses.map((address) => ({
    address,
    name: null,
    role: inTo.has(address) ? "TO" : inCc.has(address) ? "CC" : "BCC",
  }));
}

/** In their stored form. An unreadable field names no address. */
function fieldAddresses(field: string): ReadonlySet<string> {
  const found = new Set<string>();
  let mailbox: AddressToken[] = [];
  const end = () => {
    const angle = mailbox.find(({ kind }) => kind === "angle");
    const bare = mailbox.filter(({ kind }) => kind === "text" || kind === "quoted");
    const address = parseAddress(angle ? inside(angle).trim() : bare.map(({ text }) => text).join(""));
    if (address !== null) found.add(address);
    mailbox = [];
  };
  for (const token of addressTokens(field) ?? []) {
    if (token.kind === "separator") end();
    else mailbox.push(token);
  }
  end();
  return found;
}
