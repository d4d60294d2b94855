// The recipients of mails: addresses become contacts, and marketing mail goes to subscribed contacts only.
import type { Mailbox } from "../../addresses.ts";
import { findContactAt, refuseUnfit, rulesOf, upsertContact } from "../../contacts/upsert.ts";
import type { ContactInput } from "../../contacts/wanted.ts";
import { isPaused } from "../../contacts/pause.ts";
import { contactByEmail, type Contact } from "../../contacts/queries.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import { isIn, NO_CHOICES } from "../../topics/choice.ts";
import type { Meant } from "../../topics/mail.ts";
import type { Place } from "./place.ts";
import type { Addressee, MailRequest, Recipient } from "./request.ts";
import { suppressed, suppressionOf } from "./suppressed.ts";

export type Person = Recipient & { readonly contact: Addressee | null };

/**
 * The recipients of a request, in its order; their addresses become contacts. `place`: it may be asked for at the same
 * time.
 * @throws AppError CONTACT_UNSUBSCRIBED, RECIPIENT_SUPPRESSED, and as `upsertContact`
 */
export async function peopleOf(tx: Tx, request: MailRequest, place: Promise<Place>): Promise<Admitted> {
  if (!("addresses" in request.to)) {
    const persons = await personsOf(tx, request);
    const wanted = consentFor(request, await place);
    const admitted = admittedAs(persons, wanted, tx.now);
    await refuseSuppressed(tx, request, { persons, isMarketing: wanted !== null });
    return admitted;
  }
  const { workspace } = request.sender;
  const { addresses } = request.to;
  const [found, where] = await Promise.all([
    Promise.all(addresses.map(({ address: email }) => findContactAt(tx, { workspace, email }))),
    place,
  ]);
  const inputs = addresses.map((one) => inputOf(request, one, consentFor(request, where), tx.now));
  // Nothing has changed yet.
  inputs.forEach((input, index) => refuseUnfit(tx, input, found[index]?.contact ?? null));
  const isMarketing = consentFor(request, where) !== null;
  if (isMarketing || !request.passesSuppressions) {
    const subscribes = request.subscribed === true;
    const bound = inputs.map(({ email }) => ({ workspace, email, isMarketing, subscribes }));
    const by = await Promise.all(bound.map((one, index) => suppressionOf(tx, one, found[index] as (typeof found)[0])));
    by.forEach((one, index) => {
      if (one) throw suppressed((inputs[index] as ContactInput).email, one);
    });
  }
  return async () => {
    const upserted = inputs.map((input, index) => upsertContact(tx, workspace, input, { found: found[index] }));
    return (await Promise.all(upserted)).map(({ contact }, at) => ({ contact, ...(addresses[at] as Recipient) }));
  };
}

/** Passed all checks: writes what is new of them. */
type Admitted = () => Promise<readonly Person[]>;

/** Of marketing mail: who has to want it. */
type Consent = Pick<Place, "topic">;

function consentFor({ test }: MailRequest, { says, topic }: Place): Consent | null {
  return says.kind === "MARKETING" && !test ? { topic } : null;
}

function inputOf(
  { subscribed, cause, contactData = {} }: MailRequest,
  { address: email, name }: Mailbox,
  wanted: Consent | null,
  now: string,
): ContactInput {
  const consent = wanted
    ? {
        unlessSubscribed: () => unsubscribed({ email }),
        admit: (known?: Contact) => refusalByChoice(known ?? { email, ...UNSAID }, wanted.topic, now),
      }
    : {};
  return { email, name, subscribed, subscribedIfNew: false, data: contactData, cause, ...consent };
}

/** A test copy says what a contact with its address would read. */
async function personsOf(tx: Tx, { to, sender, test }: MailRequest): Promise<readonly Person[]> {
  if ("contacts" in to) return to.contacts.map((contact) => ({ contact, address: contact.email, name: null }));
  if (!("stranger" in to)) return [];
  const contact = test ? await contactByEmail(tx, sender.workspace, to.stranger) : null;
  return [{ contact, address: to.stranger, name: null }];
}

type Persons = { readonly persons: readonly Person[]; readonly isMarketing: boolean };

/** Contacts that are given come from an audience, which knows what suppresses their addresses, but not their domains. */
async function refuseSuppressed(tx: Tx, request: MailRequest, { persons, isMarketing }: Persons): Promise<void> {
  if (request.private) return;
  const { workspace } = request.sender;
  const rules = await rulesOf(tx, workspace);
  const someSuppressed = rules.someSuppressed && "stranger" in request.to;
  if (!someSuppressed && !rules.someDomains) return;
  for (const { address: email } of persons) {
    const known = { ...rules, contact: null, someSuppressed };
    const by = await suppressionOf(tx, { workspace, email, isMarketing }, known);
    if (by) throw suppressed(email, by);
  }
}

function admittedAs(persons: readonly Person[], wanted: Consent | null, now: string): Admitted {
  if (wanted) for (const { contact, address } of persons) refuseUnwilling({ contact, address }, wanted.topic, now);
  return async () => persons;
}

/** @throws AppError CONTACT_UNSUBSCRIBED */
export function refuseUnwilling(
  { contact, address }: { readonly contact: Addressee | Contact | null; readonly address: string },
  topic: Meant | null,
  now: string,
): void {
  if (!contact?.subscribed) throw unsubscribed({ email: address });
  const refusal = refusalByChoice(contact, topic, now);
  if (refusal) throw refusal;
}

/** Of somebody new. */
const UNSAID = { topics: NO_CHOICES, pausedUntil: null };

type Chooser = Pick<Contact, "email" | "topics" | "pausedUntil">;

/** Null = the contact gets mail of the topic now. */
function refusalByChoice(contact: Chooser, topic: Meant | null, now: string): AppError | null {
  return (topic && refusalByTopic(contact, topic)) ?? (isPaused(contact, now) ? paused(contact) : null);
}

function paused({ email, pausedUntil }: Chooser): AppError {
  const until = pausedUntil ?? "";
  return new AppError("CONTACT_UNSUBSCRIBED", `${email} has paused marketing email until ${until.slice(0, 10)}.`, {
    reason: "paused",
    values: { email, until },
    suggestion: "Send it after that, or use a TRANSACTIONAL template.",
  });
}

/** Null = the contact gets mail of the topic. */
function refusalByTopic({ email, topics }: Pick<Contact, "email" | "topics">, topic: Meant): AppError | null {
  if (isIn(topics, topic)) return null;
  return new AppError("CONTACT_UNSUBSCRIBED", `${email} does not get email of the topic ${topic.key}.`, {
    reason: "left_topic",
    values: { email, topic: topic.key },
    suggestion: "The `topics` of a contact say what the person wants: send email of a topic to those who are in it.",
  });
}

export function unsubscribed(contact: Pick<Contact, "email">): AppError {
  return new AppError("CONTACT_UNSUBSCRIBED", `${contact.email} is not subscribed to marketing email.`, {
    reason: "unsubscribed",
    values: { email: contact.email },
  });
}
