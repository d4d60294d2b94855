// The recipients of mails: addresses become contacts, and marketing mail goes to subscribed contacts only.
import type { Mailbox } from "../../../base/addresses.ts";
import {
  findContactAt,
  refuseUnfit,
  rulesOf,
  upsertContact,
  type ContactLookup,
} from "../../../audience/contacts/upsert.ts";
import { KEY_VOICE } from "../../../audience/contacts/voices.ts";
import type { ContactInput } from "../../../audience/contacts/wanted.ts";
import { isPaused } from "../../../audience/contacts/pause.ts";
import { contactByAddress, type Contact } from "../../../audience/contacts/queries.ts";
import { AppError } from "../../../base/errors.ts";
import type { Tx } from "../../../store/store.ts";
import type { Suppression } from "../../../audience/suppressions/queries.ts";
import { isIn, NO_CHOICES } from "../../../audience/topics/choice.ts";
import type { TopicDefault } from "../../../audience/topics/mail.ts";
import type { MailFrame } from "./place.ts";
import type { MailContact, MailRequest, Recipient } from "./request.ts";
import { mayBeSuppressed, suppressed, suppressionOf, type RecipientSkip } from "./suppressed.ts";

export type ContactRecipient = Recipient & { readonly contact: MailContact | null };

/** Recipients that passed all checks. */
type RecipientAdmission = {
  readonly place: MailFrame;
  /** Writes new and changed contacts. */
  readonly admit: () => Promise<readonly ContactRecipient[]>;
  readonly skipped: readonly RecipientSkip[];
};

/**
 * The recipients of a request, in its order; their addresses become contacts. `place`: may still be pending.
 * @throws AppError CONTACT_UNSUBSCRIBED, RECIPIENT_SUPPRESSED, and as `upsertContact`
 */
export async function peopleOf(tx: Tx, request: MailRequest, place: Promise<MailFrame>): Promise<RecipientAdmission> {
  if (!("addresses" in request.to)) {
    const [where, persons] = await Promise.all([place, personsOf(tx, request)]);
    const wanted = consentFor(request, where);
    if (wanted) for (const { contact, address } of persons) refuseUnwilling({ contact, address }, wanted.topic, tx.now);
    await refuseSuppressed(tx, request, { persons, isMarketing: wanted !== null });
    return { place: where, admit: async () => persons, skipped: [] };
  }
  const { workspace } = request.sender;
  const { addresses } = request.to;
  const [where, ...found] = await Promise.all([
    place,
    ...addresses.map(({ address: email }) => findContactAt(tx, { workspace, email })),
  ]);
  const wanted = consentFor(request, where);
  const all = addresses.map((one, at) => ({
    one,
    input: inputOf(request, one, wanted, tx.now),
    found: found[at] as ContactLookup,
  }));
  const by = await suppressionsOf(tx, request, { asked: all, isMarketing: wanted !== null });
  const those = request.skipsSuppressed ? all.filter((_, at) => !by[at]) : all;
  // No row has changed yet.
  those.forEach((each) => refuseUnfit(tx, each.input, each.found.contact));
  const kept = all.flatMap(({ input: { email }, found: { contact } }, at) =>
    by[at] ? { email, by: by[at], contact: contact?.id ?? null } : [],
  );
  if (kept.length > 0 && !maySkip(request, those.length)) throw suppressed(kept, all.length);
  const admit = async () => {
    const upserted = those.map((each) => upsertContact(tx, workspace, each.input, { found: each.found }));
    return (await Promise.all(upserted)).map(({ contact }, at) => ({ contact, ...(those[at] as ContactUpsert).one }));
  };
  return { place: where, admit, skipped: kept.map(({ by: { reason }, ...one }) => ({ ...one, reason })) };
}

function maySkip({ skipsSuppressed }: MailRequest, left: number): boolean {
  return skipsSuppressed === "all" || (skipsSuppressed === "some" && left > 0);
}

type ContactUpsert = { readonly one: Recipient; readonly input: ContactInput; readonly found: ContactLookup };

/** The suppression of each address, in order. */
async function suppressionsOf(
  tx: Tx,
  { passesSuppressions, subscribed, sender: { workspace } }: MailRequest,
  { asked, isMarketing }: { readonly asked: readonly ContactUpsert[]; readonly isMarketing: boolean },
): Promise<readonly (Suppression | null)[]> {
  if (!isMarketing && passesSuppressions) return [];
  if (!asked.some(({ found }) => mayBeSuppressed(found))) return [];
  const bound = { workspace, isMarketing, subscribes: subscribed === true };
  return Promise.all(asked.map(({ input, found }) => suppressionOf(tx, { ...bound, email: input.email }, found)));
}

/** For marketing mail: the topic that its recipients must want. */
type TopicConsent = Pick<MailFrame, "topic">;

function consentFor({ test }: MailRequest, { says, topic }: MailFrame): TopicConsent | null {
  return says.kind === "MARKETING" && !test ? { topic } : null;
}

function inputOf(
  { subscribed, cause, contactData = {} }: MailRequest,
  { address: email, name }: Mailbox,
  wanted: TopicConsent | null,
  now: string,
): ContactInput {
  const consent = wanted
    ? {
        unlessSubscribed: () => unsubscribed({ email }),
        admit: (known?: Contact) => refusalByChoice(known ?? { email, ...UNSAID }, wanted.topic, now),
      }
    : {};
  return { voice: KEY_VOICE, email, name, subscribed, subscribedIfNew: false, data: contactData, cause, ...consent };
}

/** A test copy is rendered for the contact with its address. */
async function personsOf(tx: Tx, { to, sender, test }: MailRequest): Promise<readonly ContactRecipient[]> {
  if ("contacts" in to) return to.contacts.map((contact) => ({ contact, address: contact.email, name: null }));
  if (!("stranger" in to)) return [];
  const contact = test ? await contactByAddress(tx, sender.workspace, to.stranger) : null;
  return [{ contact, address: to.stranger, name: null }];
}

type Persons = { readonly persons: readonly ContactRecipient[]; readonly isMarketing: boolean };

/** Given contacts come from an audience, which knows the suppressions of their addresses, but not of their domains. */
async function refuseSuppressed(tx: Tx, request: MailRequest, { persons, isMarketing }: Persons): Promise<void> {
  if (request.private) return;
  const { workspace } = request.sender;
  const rules = await rulesOf(tx, workspace);
  const someSuppressed = rules.someSuppressed && "stranger" in request.to;
  if (!someSuppressed && !rules.someDomains) return;
  for (const { address: email } of persons) {
    const known = { ...rules, contact: null, someSuppressed };
    const by = await suppressionOf(tx, { workspace, email, isMarketing }, known);
    if (by) throw suppressed([{ email, by }]);
  }
}

/** @throws AppError CONTACT_UNSUBSCRIBED */
export function refuseUnwilling(
  { contact, address }: { readonly contact: MailContact | Contact | null; readonly address: string },
  topic: TopicDefault | null,
  now: string,
): void {
  if (!contact?.subscribed) throw unsubscribed({ email: address });
  const refusal = refusalByChoice(contact, topic, now);
  if (refusal) throw refusal;
}

/** The choices of a new contact. */
const UNSAID = { topics: NO_CHOICES, pausedUntil: null };

type Chooser = Pick<Contact, "email" | "topics" | "pausedUntil">;

/** Null = the contact gets mail of the topic now. */
function refusalByChoice(contact: Chooser, topic: TopicDefault | null, now: string): AppError | null {
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
function refusalByTopic({ email, topics }: Pick<Contact, "email" | "topics">, topic: TopicDefault): AppError | null {
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
