// The recipients of mails: addresses become contacts, and marketing mail goes to subscribed contacts only.
import type { Mailbox } from "../../addresses.ts";
import { findContactAt, refuseUnfit, upsertContact, type ContactInput } from "../../contacts/upsert.ts";
import { contactByEmail, type Contact } from "../../contacts/queries.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import type { Place } from "./place.ts";
import type { Addressee, MailRequest, Recipient } from "./request.ts";

export type Person = Recipient & { readonly contact: Addressee | null };

/**
 * The recipients of a request, in its order; their addresses become contacts. `place`: it may be asked for at the same
 * time.
 * @throws AppError CONTACT_UNSUBSCRIBED, and as `upsertContact`
 */
export async function peopleOf(tx: Tx, request: MailRequest, place: Promise<Place>): Promise<Admitted> {
  if (!("addresses" in request.to)) return admittedAs(await personsOf(tx, request), needsConsent(request, await place));
  const { workspace } = request.sender;
  const { addresses } = request.to;
  const [found, where] = await Promise.all([
    Promise.all(addresses.map(({ address: email }) => findContactAt(tx, { workspace, email }))),
    place,
  ]);
  const inputs = addresses.map((one) => inputOf(request, one, needsConsent(request, where)));
  // Nothing has changed yet.
  inputs.forEach((input, index) => refuseUnfit(tx, input, found[index]?.contact ?? null));
  return async () => {
    const upserted = inputs.map((input, index) => upsertContact(tx, workspace, input, { found: found[index] }));
    return (await Promise.all(upserted)).map(({ contact }, at) => ({ contact, ...(addresses[at] as Recipient) }));
  };
}

/** Passed all checks: writes what is new of them. */
type Admitted = () => Promise<readonly Person[]>;

function needsConsent({ test }: MailRequest, { says }: Place): boolean {
  return says.kind === "MARKETING" && !test;
}

function inputOf(
  { subscribed, cause, contactData = {} }: MailRequest,
  { address: email, name }: Mailbox,
  isMarketing: boolean,
): ContactInput {
  const consent = isMarketing ? { unlessSubscribed: () => unsubscribed({ email }) } : {};
  return { email, name, subscribed, subscribedIfNew: false, data: contactData, cause, ...consent };
}

/** A test copy says what a contact with its address would read. */
async function personsOf(tx: Tx, { to, sender, test }: MailRequest): Promise<readonly Person[]> {
  if ("contacts" in to) return to.contacts.map((contact) => ({ contact, address: contact.email, name: null }));
  if (!("stranger" in to)) return [];
  const contact = test ? await contactByEmail(tx, sender.workspace, to.stranger) : null;
  return [{ contact, address: to.stranger, name: null }];
}

function admittedAs(persons: readonly Person[], isMarketing: boolean): Admitted {
  const refused = isMarketing ? persons.find(({ contact }) => !contact?.subscribed) : undefined;
  if (refused) throw unsubscribed({ email: refused.address });
  return async () => persons;
}

export function unsubscribed(contact: Pick<Contact, "email">): AppError {
  return new AppError("CONTACT_UNSUBSCRIBED", `${contact.email} is not subscribed to marketing email.`, {
    reason: "unsubscribed",
    values: { email: contact.email },
  });
}
