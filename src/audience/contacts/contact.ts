// Contacts: one for each address in a workspace, with a flag that says whether marketing mail is welcome.
import { AppError, invalidField } from "../../base/errors.ts";
import { touch } from "../../tenant/events/outbox.ts";
import { happened } from "../../tenant/events/happened.ts";
import { contactSubject, dataSubject } from "../../tenant/events/subjects.ts";
import { newId } from "../../base/ids.ts";
import type { ConsentAct } from "../consent/consent.ts";
import { happenedToContact } from "../consent/happened.ts";
import { forgetConsent } from "../consent/erasure.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { requiredAddress } from "../../http/body/address-field.ts";
import { mergedInto, noteLeft } from "./past/merged-queries.ts";
import { changedKeys, type Variables } from "./data.ts";
import { contactByAddress, contactById, lockContact, type Contact, type ReturnReason } from "./queries.ts";
import { setData, setDataAlone, setSubscribed } from "./change-queries.ts";
import { choose, type TopicPassReasons } from "../topics/choice.ts";
import type { TopicChoices } from "../topics/queries.ts";
import { hideContact } from "./removal-queries.ts";
import { soughtOf } from "./search/sought.ts";
import { liftAddress, liftBySubscribing } from "../suppressions/suppression.ts";
import { rememberErased, suppressReturned, type Erasure } from "./suppression.ts";

/**
 * @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact; for a merged one it names the present one
 */
export async function findContact(reader: Reader, workspace: number, id: string): Promise<Contact> {
  const contact = await contactById(reader, workspace, id);
  if (contact) return contact;
  const into = await mergedInto(reader, workspace, id);
  if (into === null) throw noContact(id);
  throw new AppError("CONTACT_NOT_FOUND", `The contact ${id} was merged into ${into}.`, {
    reason: "merged",
    values: { mergedInto: into },
    suggestion: "Use the id of the contact that it was merged into.",
  });
}

/** A request's reference to a contact: exactly one of the two. */
export type ContactRef = { readonly contactId: string | null; readonly email: string | null };

/**
 * Finds the contact by its current or a former address, or by its id.
 * @throws AppError VALIDATION_ERROR unless exactly one of the two is given, and as findContact
 */
export async function contactMeant(
  reader: Reader,
  workspace: number,
  { contactId, email }: ContactRef,
): Promise<Contact> {
  if ((contactId === null) === (email === null))
    throw invalidField("contactId", "Expected either contactId or email.", contactId === null ? "required" : "invalid");
  if (email === null) return findContact(reader, workspace, contactId as string);
  const contact = await contactByAddress(reader, workspace, requiredAddress("email", email));
  if (contact) return contact;
  throw new AppError("CONTACT_NOT_FOUND", "There is no contact with this address.", {
    suggestion: "Create it first: POST /contacts.",
  });
}

/** Locks the contact until this transaction ends. @throws as findContact */
export async function findAndLock(tx: Tx, workspace: number, id: string): Promise<Contact> {
  const contact = await lockContact(tx, (await findContact(tx, workspace, id)).seq);
  if (contact?.id !== id) throw noContact(id);
  return contact;
}

function noContact(id: string): AppError {
  return new AppError("CONTACT_NOT_FOUND", `There is no contact ${id}.`);
}

/**
 * The first step of erasing a contact: it loses its address, data, flag and id, and its address may become a new
 * contact's. Answers its seq, by which the rest of its history is found (people/erasure.ts).
 * @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact
 */
export async function withdrawContact(tx: Tx, workspace: number, id: string, erasure: Erasure): Promise<number> {
  const contact = await findAndLock(tx, workspace, id);
  await rememberErased(tx, workspace, contact.email, erasure);
  await forgetConsent(tx, { workspace, contact, what: "erased", act: erasure });
  await hideContact(tx, workspace, contact, newId(tx.nowMs));
  await happened(tx, "contact.erased", { workspace }, { contactId: id });
  return contact.seq;
}

/** The contact whose flag changes. */
type ContactAddress = Pick<Contact, "seq" | "email">;

/** The reason for a change of the flag. */
type UnsubscriptionAct = ConsentAct & {
  /** Only where a machine unsubscribed the contact. */
  readonly reason?: ReturnReason | undefined;
};

/**
 * Emits contact.subscribed if this changed the flag, and lifts the suppression of the address. A PENDING contact stays
 * as it is: only the person can confirm.
 */
export async function subscribe(
  tx: Tx,
  workspace: number,
  contact: ContactAddress,
  act: ConsentAct = {},
): Promise<void> {
  const { seq } = contact;
  const subscribed = await setSubscribed(tx, { workspace, seq, subscribed: true });
  if (!subscribed) return;
  const { email, suppressed } = subscribed;
  if (suppressed) await liftBySubscribing(tx, workspace, email, act);
  await happenedToContact(tx, "contact.subscribed", { workspace, contact, act }, {});
}

/** Restores the flag when a change is undone: emits no event, and keeps a suppression. */
export async function resubscribe(tx: Tx, workspace: number, contact: ContactAddress, act: ConsentAct): Promise<void> {
  if (!(await setSubscribed(tx, { workspace, seq: contact.seq, subscribed: true }))) return;
  await happenedToContact(tx, "contact.resubscribed", { workspace, contact, act }, {});
}

/** Emits contact.unsubscribed if this changed the flag. A pause ends without an event of its own. */
export async function unsubscribe(
  tx: Tx,
  workspace: number,
  contact: ContactAddress,
  { reason, ...act }: UnsubscriptionAct = {},
): Promise<void> {
  const { seq, email } = contact;
  if (reason) await suppressReturned(tx, workspace, email, { ...act, reason });
  if (!(await setSubscribed(tx, { workspace, seq, subscribed: false }))) return noteLeft(tx, seq);
  await happenedToContact(tx, "contact.unsubscribed", { workspace, contact, act }, reason ? { reason } : {});
}

/** Lifts a suppression. The flag stays: marketing mail may go out once the contact is subscribed. */
export async function lift(tx: Tx, workspace: number, contact: Contact, act: ConsentAct = {}): Promise<void> {
  const { email, suppressed } = contact;
  if (suppressed !== null) await liftAddress(tx, workspace, email, act);
}

/** `contact`: as it was read under lock. */
export type ContactChange = {
  readonly contact: Contact;
  /** The complete data, as `mergeData` answers it. */
  readonly data: Variables;
  /** All topic choices, as `mergeChoices` answers them; undefined = they stay unchanged. */
  readonly topics?: TopicChoices;
  /** Null = the flag stays unchanged. */
  readonly subscribed: boolean | null;
  /** The reason for a suppression of the address from marketing mail. */
  readonly suppressed?: ReturnReason;
  /** Keys of data that a search covers. */
  readonly searchFields: readonly string[];
  /** The choices were already made as another contact. */
  readonly isKnown?: boolean;
  /** Topics that a sign-up passed over (topics/choice.ts). */
  readonly passed?: TopicPassReasons;
};

function writeData(tx: Tx, { seq, email, data: before }: Contact, data: Variables, fields: readonly string[]) {
  const sought = soughtOf(email, data, fields);
  return sought === soughtOf(email, before, fields)
    ? setDataAlone(tx, { seq, data })
    : setData(tx, { seq, data, sought });
}

/** Changes data, flag and choices. */
export async function change(tx: Tx, workspace: number, change: ContactChange, act: ConsentAct = {}): Promise<void> {
  const {
    contact,
    data,
    topics: after = contact.topics,
    subscribed,
    suppressed,
    searchFields,
    isKnown,
    passed,
  } = change;
  const isWritten = data !== contact.data;
  const subjects = [...changedKeys(contact.data, data).map(dataSubject), contactSubject("updatedAt")];
  await Promise.all([
    isWritten && writeData(tx, contact, data, searchFields),
    isWritten && touch(tx, { workspace, contact: contact.seq, subjects }),
    after !== contact.topics && choose(tx, { workspace, contact, before: contact.topics, after, act, isKnown, passed }),
    suppressed && unsubscribe(tx, workspace, contact, { ...act, reason: suppressed }),
    !suppressed && subscribed === true && subscribe(tx, workspace, contact, act),
    !suppressed && subscribed === false && unsubscribe(tx, workspace, contact, act),
  ]);
}
