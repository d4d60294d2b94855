// Which of some addresses are contacts (interface-gaps.md §3 "POST /contacts/lookup").
import { parseAddress } from "../addresses.ts";
import type { Reader } from "../store/store.ts";
import { contactsByEmail } from "./list-queries.ts";
import type { ContactRow } from "./queries.ts";

type LookedUp = {
  readonly found: readonly ContactRow[];
  /** As the caller wrote them; what is no address is nobody's. */
  readonly notFound: readonly string[];
};

/** Both in the order of `emails`, and nothing twice. */
export async function lookUp(reader: Reader, workspace: number, emails: readonly string[]): Promise<LookedUp> {
  const asked = [...new Set(emails)].map((text) => ({ text, address: parseAddress(text) }));
  const addresses = [...new Set(asked.flatMap(({ address }) => address ?? []))];
  const contacts = addresses.length === 0 ? [] : await contactsByEmail(reader, workspace, addresses);
  const byAddress = new Map(contacts.map((contact) => [contact.email, contact]));
  return {
    found: addresses.flatMap((address) => byAddress.get(address) ?? []),
    notFound: asked.filter(({ address }) => address === null || !byAddress.has(address)).map(({ text }) => text),
  };
}
