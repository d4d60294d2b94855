// Changes of SendGrid's lists of suppressions: an address is put on the list of global unsubscribes, or taken off one.
import { parseAddress } from "../../../base/addresses.ts";
import { contactByAddress } from "../../../audience/contacts/queries.ts";
import { AppError, invalidField } from "../../../base/errors.ts";
import { suppressionsAt } from "../../../audience/suppressions/queries.ts";
import { requiredAddress } from "../../../http/body/address-field.ts";
import { listIn, objectIn, textIn } from "../fields.ts";
import type { CompatRequest } from "../own-calls.ts";
import { isMeant, type Deps, type SendgridListName } from "./suppressions.ts";

const MOST = 100;
const NOT_THERE = "The list does not have this address.";

/** The addresses get no email at all, as at SendGrid. */
export async function unsubscribe({ ours }: Deps, asked: CompatRequest) {
  const emails = requestAddresses("recipient_emails", asked.body);
  for (const address of emails) await ours.also("addSuppression", asked, { body: { address } });
  return { recipient_emails: emails };
}

/** The address gets email again; on the list of the unsubscribed, the contact is subscribed again. */
export async function takeOff(deps: Deps, asked: CompatRequest, kind: SendgridListName): Promise<void> {
  const address = parseAddress(asked.params["email"] ?? "") ?? "";
  if (!(await takenOff(deps, asked, kind, address))) throw new AppError("SUPPRESSION_NOT_FOUND", NOT_THERE);
}

/**
 * Takes the given addresses off the list; addresses that are not on it are skipped. @throws AppError VALIDATION_ERROR
 */
export async function takeOffEach(deps: Deps, asked: CompatRequest, kind: SendgridListName): Promise<void> {
  const { delete_all: all } = objectIn("request", asked.body);
  if (all != null && all !== false)
    throw invalidField("delete_all", "Posthorn empties no whole list: name the emails.", "unsupported");
  for (const address of requestAddresses("emails", asked.body)) await takenOff(deps, asked, kind, address);
}

async function takenOff(
  { ours, store }: Deps,
  asked: CompatRequest,
  kind: SendgridListName,
  address: string,
): Promise<boolean> {
  const { workspace } = asked.caller;
  const own = await store.read((reader) => suppressionsAt(reader, workspace, [address]));
  const meant = own.filter((one) => isMeant(kind, one));
  const isListed = meant.length > 0;
  for (const { id } of meant) await ours.also("liftSuppression", asked, { params: { id } });
  if (kind !== "unsubscribes") return isListed;
  const contact = await store.read((reader) => contactByAddress(reader, workspace, address));
  // An address that bounced or complained is on another list.
  if (!contact || contact.subscribed || (own.length > 0 && !isListed)) return isListed;
  await ours.also("updateContact", asked, { params: { id: contact.id }, body: { subscribed: true } });
  return true;
}

/** @throws AppError VALIDATION_ERROR */
function requestAddresses(field: string, body: unknown): string[] {
  const given = listIn(field, objectIn("request", body)[field]);
  if (given.length === 0 || given.length > MOST)
    throw invalidField(field, `A call has 1 to ${MOST} addresses.`, "invalid");
  return [...new Set(given.map((one, at) => requiredAddress(`${field}.${at}`, textIn(`${field}.${at}`, one))))];
}
