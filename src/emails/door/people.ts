// Whom mails go to: addresses become contacts, and whoever has not agreed gets no marketing mail.
import type { Mailbox } from "../../addresses.ts";
import { upsertContacts } from "../../contacts/bulk-upsert.ts";
import { contactsByEmail, type Contact } from "../../contacts/queries.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import type { Place } from "./place.ts";
import type { Addressee, ByRequest, MailRequest, Recipient } from "./request.ts";

export type Person = { readonly contact: Addressee | null; readonly address: string; readonly name: string | null };

/** Workspace by workspace, in one order, so that two transactions never wait for each other. */
export async function peopleOf(
  tx: Tx,
  requests: readonly MailRequest[],
  places: ByRequest<Place>,
): Promise<ByRequest<readonly Person[]>> {
  const admitted = requests.filter((request) => !(places.get(request) instanceof AppError));
  const byWorkspace = Map.groupBy(admitted, ({ sender }) => sender.workspace);
  const people = new Map<MailRequest, readonly Person[] | AppError>();
  for (const workspace of [...byWorkspace.keys()].sort((one, other) => one - other)) {
    const theirs = byWorkspace.get(workspace) as MailRequest[];
    const needsConsent = (request: MailRequest) =>
      (places.get(request) as Place).says.kind === "MARKETING" && !request.test;
    for (const [request, found] of await peopleIn(tx, workspace, theirs, needsConsent)) people.set(request, found);
  }
  return people;
}

type NeedsConsent = (request: MailRequest) => boolean;

async function peopleIn(
  tx: Tx,
  workspace: number,
  requests: readonly MailRequest[],
  needsConsent: NeedsConsent,
): Promise<ByRequest<readonly Person[]>> {
  const isMailbox = (one: Recipient): one is Mailbox => "address" in one;
  const addressed = (
    requests.filter((request) => request.recipients.every(isMailbox)) as MailRequest<Mailbox>[]
  ).toSorted(byAddress);
  const outcomes = await upsertContacts(
    tx,
    workspace,
    addressed.map((request) => inputsOf(request, needsConsent(request))),
  );
  const people = new Map<MailRequest, readonly Person[] | AppError>();
  for (const [index, request] of addressed.entries()) {
    const outcome = outcomes[index] as (typeof outcomes)[number];
    const persons =
      outcome instanceof AppError
        ? outcome
        : outcome.map(({ contact }, at) => {
            const { address, name } = request.recipients[at] as Mailbox;
            return { contact, address, name };
          });
    people.set(request, persons);
  }
  const others = requests.filter((request) => !people.has(request));
  const strangers = others.flatMap(({ recipients }) =>
    recipients.flatMap((one) => ("stranger" in one ? one.stranger : [])),
  );
  const known = new Map((await contactsByEmail(tx, workspace, strangers)).map((contact) => [contact.email, contact]));
  for (const request of others) people.set(request, personsOf(request, known, needsConsent(request)));
  return people;
}

/** New contacts are made in one order: two transactions that make the same ones then wait for each other in turn. */
function byAddress({ recipients: [one] }: MailRequest<Mailbox>, { recipients: [other] }: MailRequest<Mailbox>): number {
  return (one?.address ?? "") < (other?.address ?? "") ? -1 : 1;
}

function inputsOf({ recipients, subscribed, contactData = {} }: MailRequest<Mailbox>, needsConsent: boolean) {
  return recipients.map(({ address: email, name }) => ({
    ...{ email, name, subscribed, subscribedIfNew: false, data: contactData },
    ...(needsConsent ? { unlessSubscribed: () => unsubscribed({ email }) } : {}),
  }));
}

/** Of contacts that were read before, and of strangers: a test copy says what a contact with this address would read. */
function personsOf(
  { recipients, test }: MailRequest,
  known: ReadonlyMap<string, Contact>,
  needsConsent: boolean,
): readonly Person[] | AppError {
  const persons = recipients.flatMap((one): Person[] => {
    if ("contact" in one) return [{ contact: one.contact, address: one.contact.email, name: null }];
    if ("stranger" in one)
      return [{ contact: test ? (known.get(one.stranger) ?? null) : null, address: one.stranger, name: null }];
    return [];
  });
  const refused = needsConsent ? persons.find(({ contact }) => !contact?.subscribed) : undefined;
  return refused ? unsubscribed({ email: refused.address }) : persons;
}

export function unsubscribed(contact: Pick<Contact, "email">): AppError {
  return new AppError("CONTACT_UNSUBSCRIBED", `${contact.email} is not subscribed to marketing mail.`, {
    reason: "unsubscribed",
    values: { email: contact.email },
  });
}
