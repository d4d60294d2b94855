// Contacts: one for each address in a workspace, with a flag that says whether marketing mail is welcome.
import { AppError } from "../errors.ts";
import { emit, type NewEvent } from "../events/emit.ts";
import { touch } from "../events/outbox.ts";
import { tellEndpoints } from "../events/notices.ts";
import { contactTopic, dataTopic } from "../events/topics.ts";
import { newId } from "../ids.ts";
import { note, type Act } from "../consent/consent.ts";
import { forgetConsent } from "../consent/erasure.ts";
import type { Reader, Tx } from "../store/store.ts";
import { deleteFormerOf } from "./former-queries.ts";
import { forgetImported } from "./imported-queries.ts";
import { changedKeys, type Variables } from "./data.ts";
import { contactById, lockContact, type Contact, type Reason } from "./queries.ts";
import { clearSuppressed, setData, setSubscribed, setSuppressed } from "./change-queries.ts";
import { choose } from "../topics/choice.ts";
import type { Choices } from "../topics/queries.ts";
import { stripContact } from "./removal-queries.ts";
import { soughtOf } from "./sought.ts";
import { rememberErased, type Erasure } from "./suppression.ts";

const SUBSCRIPTION = [contactTopic("subscribed"), contactTopic("updatedAt")];

/** @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact */
export async function findContact(reader: Reader, workspace: number, id: string): Promise<Contact> {
  const contact = await contactById(reader, workspace, id);
  if (!contact) throw noContact(id);
  return contact;
}

/** Nobody else can change the contact until this transaction ends. @throws as findContact */
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
  await rememberErased(tx, workspace, contact, erasure);
  await forgetConsent(tx, { workspace, contact, what: "erased", act: erasure });
  await stripContact(tx, workspace, contact, newId(tx.nowMs));
  await deleteFormerOf(tx, contact.seq);
  await forgetImported(tx, workspace, contact.seq);
  await tellEndpoints(tx, { workspace, contact: null }, "contact.erased", { contactId: id });
  return contact.seq;
}

/** Whose flag changes. */
type Who = Pick<Contact, "seq" | "email">;

/** Why a flag changes. */
type Cause = Act & {
  /** Only where a machine did it. */
  readonly reason?: Reason | undefined;
};

type Lifting = Act & {
  /** Why its address was suppressed until now. */ readonly suppressed?: Reason | null;
};

/** Emits contact.subscribed if this changed the flag. A PENDING contact stays as it is: only the person can confirm. */
export async function subscribe(
  tx: Tx,
  workspace: number,
  contact: Who,
  { suppressed, ...act }: Lifting = {},
): Promise<void> {
  const { seq } = contact;
  if (!(await setSubscribed(tx, { workspace, seq, subscribed: true }))) return;
  if (suppressed) await tellSuppression(tx, { workspace, contact, what: "unsuppressed", act }, suppressed);
  note(tx, { workspace, contact, what: "subscribed", act });
  await tellFlag(tx, { workspace, contact: seq, name: "contact.subscribed", data: {}, cause: act.cause });
}

/** Emits contact.unsubscribed if this changed the flag. */
export async function unsubscribe(
  tx: Tx,
  workspace: number,
  contact: Who,
  { reason, ...act }: Cause = {},
): Promise<void> {
  const { seq } = contact;
  if (reason && (await setSuppressed(tx, seq, reason)) > 0)
    await tellSuppression(tx, { workspace, contact, what: "suppressed", act }, reason);
  if (!(await setSubscribed(tx, { workspace, seq, subscribed: false }))) return;
  const data = reason ? { reason } : {};
  note(tx, { workspace, contact, what: "unsubscribed", act, facts: data });
  await tellFlag(tx, { workspace, contact: seq, name: "contact.unsubscribed", data, cause: act.cause });
}

/** Lifts a suppression. The flag stays: marketing mail may go out once the contact is subscribed. */
export async function lift(tx: Tx, workspace: number, contact: Contact, act: Act = {}): Promise<void> {
  const { seq, suppressed: reason } = contact;
  if (reason === null) return;
  await clearSuppressed(tx, seq);
  await touch(tx, { workspace, contact: seq, topics: [contactTopic("updatedAt")] });
  await tellSuppression(tx, { workspace, contact, what: "unsuppressed", act }, reason);
}

type Suppression = {
  readonly workspace: number;
  readonly contact: Who;
  readonly what: "suppressed" | "unsuppressed";
  readonly act: Act;
};

/** Notes and tells that an address is suppressed from now on, or is so no more. */
export async function tellSuppression(tx: Tx, suppression: Suppression, reason: Reason): Promise<void> {
  const { workspace, contact, what } = suppression;
  note(tx, { ...suppression, facts: { reason } });
  const name = what === "suppressed" ? "suppression.added" : "suppression.removed";
  await tellEndpoints(tx, { workspace, contact: contact.seq }, name, { reason });
}

async function tellFlag(tx: Tx, event: NewEvent & { readonly contact: number }): Promise<void> {
  await Promise.all([touch(tx, { ...event, topics: SUBSCRIPTION }), emit(tx, event)]);
}

/** `contact`: as it was read under lock. */
export type Change = {
  readonly contact: Contact;
  /** All of it, as `mergeData` answers it. */
  readonly data: Variables;
  /** All that it says of topics, as `mergeChoices` answers it; nothing = it stays as it is. */
  readonly topics?: Choices;
  /** Null = the flag stays as it is. */
  readonly subscribed: boolean | null;
  /** Why the address gets no marketing mail from now on. */
  readonly suppressed?: Reason;
  /** Keys of data that a search looks in. */
  readonly searchFields: readonly string[];
};

/** Changes data, flag and choices. */
export async function change(tx: Tx, workspace: number, change: Change, act: Act = {}): Promise<void> {
  const { contact, data, topics: after = contact.topics, subscribed, suppressed, searchFields } = change;
  const isWritten = data !== contact.data;
  const topics = [...changedKeys(contact.data, data).map(dataTopic), contactTopic("updatedAt")];
  await Promise.all([
    isWritten && setData(tx, { seq: contact.seq, data, sought: soughtOf(contact.email, data, searchFields) }),
    isWritten && touch(tx, { workspace, contact: contact.seq, topics }),
    after !== contact.topics && choose(tx, { workspace, contact, before: contact.topics, after, act }),
    suppressed && unsubscribe(tx, workspace, contact, { ...act, reason: suppressed }),
    !suppressed && subscribed === true && subscribe(tx, workspace, contact, { ...act, suppressed: contact.suppressed }),
    !suppressed && subscribed === false && unsubscribe(tx, workspace, contact, act),
  ]);
}
