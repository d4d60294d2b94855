// Contacts: one for each address in a workspace, with a flag that says whether marketing mail is welcome.
import { AppError } from "../errors.ts";
import { emitEach } from "../events/emit.ts";
import { putAllInOutbox, touch, touchEach } from "../events/outbox.ts";
import { contactTopic, dataTopic } from "../events/topics.ts";
import { newId } from "../ids.ts";
import type { Reader, Tx } from "../store/store.ts";
import { deleteFormerOf } from "./former-queries.ts";
import { forgetImported } from "./imported-queries.ts";
import { changedKeys, mergeData, type Variables } from "./data.ts";
import {
  contactByEmail,
  contactById,
  insertContact,
  lockContact,
  lockContactToChange,
  setEachData,
  setEachSubscribed,
  setSuppressed,
  stripContact,
  type Contact,
  type NewContact,
  type Reason,
} from "./queries.ts";
import { rememberErased, takeReasons, type Erasure } from "./suppression.ts";

export type ContactInput = {
  /** In its stored form (addresses.ts). */
  readonly email: string;
  /** Undefined = an existing contact keeps its flag. */
  readonly subscribed: boolean | undefined;
  readonly subscribedIfNew: boolean;
  readonly data: Variables;
  /** Kept as data `name` if the contact has none. */
  readonly name?: string | null;
  /** False for public keys: they cannot resubscribe an address that bounced or complained. */
  readonly mayLiftSuppression?: boolean;
  /** False: an existing contact keeps its data, and is not subscribed. */
  readonly mayUpdate?: boolean;
  /** False: an existing contact is not unsubscribed. */
  readonly mayUnsubscribe?: boolean;
  /** Only the person can subscribe an existing contact (sign-up.ts). */
  readonly onlyInPerson?: boolean;
  /** A new contact waits until the person confirms (sign-up.ts). */
  readonly pendingIfNew?: boolean;
  /** The address is suppressed from now on, for this reason. */
  readonly suppressed?: Reason;
  /** Where the consent comes from: data `consent` of a new contact that gets marketing mail, or is asked. */
  readonly consent?: string;
  /** Refuses the input, with this, if the contact would not be subscribed. Nothing is changed then. */
  readonly unlessSubscribed?: () => AppError;
  /** Asked before anything changes, with the contact as it is (undefined: it is new): why the input is refused, or null. */
  readonly admit?: (contact: Contact | undefined) => AppError | null;
};

/** What a new contact touches. */
export const NEW = [contactTopic("new")];
const SUBSCRIPTION = [contactTopic("subscribed"), contactTopic("updatedAt")];

export type Upserted = {
  readonly contact: Contact;
  readonly isNew: boolean;
  /** As it was before; nothing = it has not changed, or is new. */
  readonly before?: Contact | undefined;
};

/**
 * Creates the contact with this address, or updates it. A new contact that is subscribed emits nothing; changing the flag of
 * an existing one emits contact.subscribed or contact.unsubscribed. `job`: the public id of the import that does it.
 */
export async function upsertContact(tx: Tx, workspace: number, input: ContactInput, job?: string): Promise<Upserted> {
  const existing = await contactByEmail(tx, workspace, input.email);
  if (existing) return update(tx, workspace, existing, input, job);
  const reason = (await takeReasons(tx, workspace, [input.email])).get(input.email) ?? null;
  const contact = await insertContact(tx, workspace, newContact(tx, input, reason));
  if (!contact) return upsertContact(tx, workspace, input, job);
  await touch(tx, { workspace, contact: contact.seq, topics: NEW });
  return { contact, isNew: true };
}

/**
 * `reason`: why the address is suppressed. The new contact is then suppressed too, unless a secret key subscribes it.
 * @throws AppError VALIDATION_ERROR if it would hold more than 64 KB
 */
export function newContact(tx: Pick<Tx, "nowMs">, input: ContactInput, reason: Reason | null): NewContact {
  const isLifted = input.subscribed === true && input.mayLiftSuppression !== false;
  const suppressed = isLifted ? null : graver(input.suppressed ?? null, reason);
  const status = input.pendingIfNew && suppressed === null ? "PENDING" : "ACTIVE";
  const subscribed = status === "ACTIVE" && suppressed === null && (input.subscribed ?? input.subscribedIfNew);
  const data = dataWith(input.consent && (subscribed || status === "PENDING") ? { consent: input.consent } : {}, input);
  return { id: newId(tx.nowMs), email: input.email, subscribed, status, suppressed, data };
}

/** A complaint stays one. */
function graver(one: Reason | null, other: Reason | null): Reason | null {
  return one === "complaint" || other === null ? one : other;
}

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
 * The first step of erasing a contact: it loses its address, data, flag and id, and its address may become a new contact's.
 * Answers its seq, by which the rest of its history is found (people/erasure.ts).
 * @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact
 */
export async function withdrawContact(tx: Tx, workspace: number, id: string, erasure: Erasure): Promise<number> {
  const contact = await findAndLock(tx, workspace, id);
  await rememberErased(tx, workspace, contact, erasure);
  await stripContact(tx, workspace, contact, newId(tx.nowMs));
  await deleteFormerOf(tx, contact.seq);
  await forgetImported(tx, workspace, contact.seq);
  return contact.seq;
}

/** Why a flag changes. */
type Cause = {
  /** Only where a machine did it. */
  readonly reason?: Reason | undefined;
  /** The public id of the import or bulk change that did it. */
  readonly job?: string | undefined;
};

/** Emits contact.subscribed where this changed the flag. A PENDING contact stays as it is: only the person can confirm. */
export async function subscribe(
  tx: Tx,
  workspace: number,
  contacts: readonly number[],
  { job }: Pick<Cause, "job"> = {},
): Promise<void> {
  const changed = await setEachSubscribed(tx, workspace, contacts, true);
  await tellFlag(tx, { workspace, name: "contact.subscribed", data: {}, job }, changed);
}

/** Emits contact.unsubscribed where this changed the flag. */
export async function unsubscribe(
  tx: Tx,
  workspace: number,
  contacts: readonly number[],
  { reason, job }: Cause = {},
): Promise<void> {
  if (reason) for (const contact of contacts) await setSuppressed(tx, contact, reason);
  const changed = await setEachSubscribed(tx, workspace, contacts, false);
  await tellFlag(tx, { workspace, name: "contact.unsubscribed", data: reason ? { reason } : {}, job }, changed);
}

async function tellFlag(tx: Tx, event: Parameters<typeof emitEach>[1], contacts: readonly number[]): Promise<void> {
  if (contacts.length === 0) return;
  await touchEach(tx, event.workspace, contacts, SUBSCRIPTION);
  await emitEach(tx, event, contacts);
}

async function update(tx: Tx, workspace: number, seen: Contact, input: ContactInput, job?: string): Promise<Upserted> {
  if (!changesOf(seen, input)) return { contact: seen, isNew: false };
  const before = await lockContactToChange(tx, seen.seq);
  const changes = before && changesOf(before, input);
  if (!changes) return { contact: before ?? seen, isNew: false };
  await changeEach(tx, workspace, [{ contact: before, ...changes }], job);
  return { contact: (await contactByEmail(tx, workspace, before.email)) ?? before, isNew: false, before };
}

/** `contact`: as it was read under lock. */
export type Change = {
  readonly contact: Contact;
  /** All of it, as `mergeData` answers it. */
  readonly data: Variables;
  /** Null = the flag stays as it is. */
  readonly subscribed: boolean | null;
  /** Why the address gets no marketing mail from now on. */
  readonly suppressed?: Reason;
};

/** Changes data and flags, each contact's once. `job`: the public id of the import that does it. */
export async function changeEach(tx: Tx, workspace: number, changes: readonly Change[], job?: string): Promise<void> {
  const written = changes.filter(({ contact, data }) => data !== contact.data);
  const rows = written.map(({ contact: { seq }, data }) => ({ seq, data }));
  const touched = written.map(({ contact, data }) => {
    const topics = [...changedKeys(contact.data, data).map(dataTopic), contactTopic("updatedAt")];
    return { workspace, contact: contact.seq, topics, event: null };
  });
  await Promise.all([setEachData(tx, rows), putAllInOutbox(tx, touched)]);
  const become = (flag: boolean) =>
    changes.flatMap(({ contact, subscribed, suppressed }) => (subscribed === flag && !suppressed ? contact.seq : []));
  await subscribe(tx, workspace, become(true), { job });
  await unsubscribe(tx, workspace, become(false), { job });
  for (const reason of ["bounce", "complaint"] as const) {
    const those = changes.flatMap(({ contact, suppressed }) => (suppressed === reason ? contact.seq : []));
    await unsubscribe(tx, workspace, those, { reason, job });
  }
}

/** What the input would change of the contact; null = nothing. */
export function changesOf(contact: Contact, input: ContactInput): Omit<Change, "contact"> | null {
  const merged = dataWith(input.mayUpdate === false ? {} : contact.data, input);
  // Data that is too large is refused for an existing contact too, or the answer would reveal that it exists.
  const data = input.mayUpdate === false ? contact.data : merged;
  const isSuppressed = contact.suppressed !== null && input.mayLiftSuppression === false;
  const isPersonal = contact.status === "PENDING" || input.onlyInPerson === true;
  const isRefused = input.subscribed
    ? isSuppressed || isPersonal || input.mayUpdate === false
    : input.mayUnsubscribe === false;
  const isSame = input.subscribed === undefined || input.subscribed === contact.subscribed;
  const subscribed = isSame || isRefused ? null : (input.subscribed ?? null);
  const reason = input.suppressed ? graver(input.suppressed, contact.suppressed) : contact.suppressed;
  const suppressed = reason === null || reason === contact.suppressed ? {} : { suppressed: reason };
  if (data === contact.data && subscribed === null && !("suppressed" in suppressed)) return null;
  return { data, subscribed, ...suppressed };
}

function dataWith(current: Variables, { data, name }: ContactInput): Variables {
  const changes = name && !hasName(current, data) ? { ...data, name } : data;
  return Object.keys(changes).length === 0 ? current : mergeData(current, changes);
}

function hasName({ name }: Variables, changes: Variables): boolean {
  return "name" in changes || (name !== undefined && name !== "");
}
