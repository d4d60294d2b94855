// The recipients of mails: addresses become contacts, and marketing mail goes to subscribed contacts only.
import type { Mailbox } from "../../addresses.ts";
import { findEverywhere, judgeEverywhere, type FoundEverywhere } from "../../contacts/bulk-upsert.ts";
import type { Upserted } from "../../contacts/contact.ts";
import { contactByEmail, type Contact } from "../../contacts/queries.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import type { Place } from "./place.ts";
import type { Addressee, ByRequest, MailRequest, To } from "./request.ts";

export type Person = { readonly contact: Addressee | null; readonly address: string; readonly name: string | null };

/** Looks up who is at the addresses; may be asked with other statements. */
export function lookUpPeople(tx: Tx, requests: readonly MailRequest[]): Promise<FoundEverywhere> {
  const wanted = requests.filter(isAddressed).map(({ sender, to }) => ({
    workspace: sender.workspace,
    emails: to.addresses.map(({ address }) => address),
  }));
  return findEverywhere(tx, wanted);
}

/** `refused`: requests that may not mail somebody. `persons`: the recipients of the others, in the order of the request. */
type Judged = {
  readonly refused: ReadonlyMap<MailRequest, AppError>;
  readonly persons: () => Promise<ReadonlyMap<MailRequest, readonly Person[]>>;
};

/**
 * Judges the requests that have a place; their addresses become contacts with `persons`, which is to be called once.
 * `persons` throws the refusal of a request whose contact another transaction has just created; then nothing counts.
 */
export async function judgePeople(tx: Tx, places: ByRequest<Place>, found: FoundEverywhere): Promise<Judged> {
  const known = new Map<MailRequest, readonly Person[]>();
  const refused = new Map<MailRequest, AppError>();
  const addressed: Addressed[] = [];
  for (const [request, place] of places) {
    if (place instanceof AppError) continue;
    const needsConsent = place.says.kind === "MARKETING" && !request.test;
    if (isAddressed(request)) {
      addressed.push({ request, needsConsent });
      continue;
    }
    const persons = consenting(await personsOf(tx, request), needsConsent);
    if (persons instanceof AppError) refused.set(request, persons);
    else known.set(request, persons);
  }
  const { refusals, upsert } = await judgeEverywhere(tx, addressed.map(toUpsert), found);
  addressed.forEach(({ request }, index) => {
    const refusal = refusals[index];
    if (refusal) refused.set(request, refusal);
  });
  const persons = async () => {
    const outcomes = await upsert();
    addressed.forEach(({ request }, index) => {
      if (!refused.has(request)) known.set(request, personsIn(request, outcomes[index] as (typeof outcomes)[number]));
    });
    return known;
  };
  return { refused, persons };
}

/** @throws the refusal */
function personsIn({ to }: MailRequest<ToAddresses>, outcome: readonly Upserted[] | AppError): Person[] {
  if (outcome instanceof AppError) throw outcome;
  return outcome.map(({ contact }, at) => ({ contact, ...(to.addresses[at] as Mailbox) }));
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
