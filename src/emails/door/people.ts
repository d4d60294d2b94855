// Whom mails go to: addresses become contacts, and marketing mail goes to subscribed contacts only.
import type { Mailbox } from "../../addresses.ts";
import { upsertEverywhere } from "../../contacts/bulk-upsert.ts";
import { contactByEmail, type Contact } from "../../contacts/queries.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import type { Place } from "./place.ts";
import type { Addressee, ByRequest, MailRequest, To } from "./request.ts";

export type Person = { readonly contact: Addressee | null; readonly address: string; readonly name: string | null };

/** The recipients of each request that has a place, in the order of the request. */
export async function peopleOf(
  tx: Tx,
  requests: readonly MailRequest[],
  places: ByRequest<Place>,
): Promise<ByRequest<readonly Person[]>> {
  const people = new Map<MailRequest, readonly Person[] | AppError>();
  const addressed: Addressed[] = [];
  for (const request of requests) {
    const place = places.get(request);
    if (!place || place instanceof AppError) continue;
    const needsConsent = place.says.kind === "MARKETING" && !request.test;
    if (isAddressed(request)) addressed.push({ request, needsConsent });
    else people.set(request, consenting(await personsOf(tx, request), needsConsent));
  }
  const outcomes = await upsertEverywhere(tx, addressed.map(toUpsert));
  addressed.forEach(({ request }, index) => {
    const outcome = outcomes[index] as (typeof outcomes)[number];
    const personAt = (contact: Contact, at: number) => ({ contact, ...(request.to.addresses[at] as Mailbox) });
    people.set(
      request,
      outcome instanceof AppError ? outcome : outcome.map(({ contact }, at) => personAt(contact, at)),
    );
  });
  return people;
}

type ToAddresses = Extract<To, { readonly addresses: unknown }>;
type Addressed = { readonly request: MailRequest<ToAddresses>; readonly needsConsent: boolean };

function isAddressed(request: MailRequest): request is MailRequest<ToAddresses> {
  return "addresses" in request.to;
}

function toUpsert({ request: { sender, to, subscribed, contactData = {} }, needsConsent }: Addressed) {
  const inputs = to.addresses.map(({ address: email, name }) => ({
    ...{ email, name, subscribed, subscribedIfNew: false, data: contactData },
    ...(needsConsent ? { unlessSubscribed: () => unsubscribed({ email }) } : {}),
  }));
  return { workspace: sender.workspace, inputs };
}

/** A test copy says what a contact with its address would read. */
async function personsOf(tx: Tx, { to, sender, test }: MailRequest): Promise<readonly Person[]> {
  if ("contacts" in to) return to.contacts.map((contact) => ({ contact, address: contact.email, name: null }));
  if (!("stranger" in to)) return [];
  const contact = test ? await contactByEmail(tx, sender.workspace, to.stranger) : null;
  return [{ contact, address: to.stranger, name: null }];
}

function consenting(persons: readonly Person[], needsConsent: boolean): readonly Person[] | AppError {
  const refused = needsConsent ? persons.find(({ contact }) => !contact?.subscribed) : undefined;
  return refused ? unsubscribed({ email: refused.address }) : persons;
}

export function unsubscribed(contact: Pick<Contact, "email">): AppError {
  return new AppError("CONTACT_UNSUBSCRIBED", `${contact.email} is not subscribed to marketing mail.`, {
    reason: "unsubscribed",
    values: { email: contact.email },
  });
}
