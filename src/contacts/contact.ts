// Contacts: one a person and workspace, found by address, with a flag that says whether marketing mail is welcome.
import { AppError } from "../errors.ts";
import { emit } from "../events/emit.ts";
import { touch } from "../events/outbox.ts";
import { contactTopic, dataTopic } from "../events/topics.ts";
import { newId } from "../ids.ts";
import type { Reader, Tx } from "../store/store.ts";
import { deleteErrorsAbout } from "./jobs/queries.ts";
import { changedKeys, mergeData, type Variables } from "./data.ts";
import {
  contactByEmail,
  contactById,
  insertContact,
  lockContact,
  lockContactToChange,
  setData,
  setSubscribed,
  setSuppressed,
  stripContact,
  type ContactRow,
  type NewContact,
} from "./queries.ts";
import { rememberErased, takeReasons, type Erasure } from "./suppression.ts";

export type ContactWish = {
  /** Already in its stored form (src/addresses.ts). */
  readonly email: string;
  /** Undefined = an existing contact keeps its flag. */
  readonly subscribed: boolean | undefined;
  readonly subscribedIfNew: boolean;
  readonly data: Variables;
  /** Kept as data `name` if the contact has none. */
  readonly name?: string | null;
  /** False for public keys: they cannot subscribe again who bounced for good or complained. */
  readonly mayLiftSuppression?: boolean;
  /** False: a contact that is there keeps its data, and is not subscribed. */
  readonly mayUpdate?: boolean;
  /** False: a contact that is there is not unsubscribed. */
  readonly mayUnsubscribe?: boolean;
  /** Of a contact that is there, only the person switches the flag on (sign-up.ts). */
  readonly onlyInPerson?: boolean;
  /** A new contact waits until the person confirms (sign-up.ts). */
  readonly pendingIfNew?: boolean;
};

/** What is touched when a contact is made. */
export const NEW = [contactTopic("new")];

export type Upserted = { readonly contact: ContactRow; readonly isNew: boolean };

/**
 * Finds or makes the contact with this address and brings it up to date (interface.md "Contact subscription flag").
 * Making a subscribed contact emits nothing; changing the flag of one emits contact.subscribed or contact.unsubscribed.
 */
export async function upsertContact(tx: Tx, workspace: number, wish: ContactWish): Promise<Upserted> {
  const existing = await contactByEmail(tx, workspace, wish.email);
  if (existing) return { contact: await bringUpToDate(tx, workspace, existing, wish), isNew: false };
  const reason = (await takeReasons(tx, workspace, [wish.email])).get(wish.email) ?? null;
  const made = await insertContact(tx, newContact(tx, workspace, wish, reason));
  if (!made) return upsertContact(tx, workspace, wish);
  await touch(tx, { workspace, contact: made.seq, topics: NEW });
  return { contact: made, isNew: true };
}

/**
 * The contact that the wish makes where there is none. `reason`: why the address is suppressed; then the contact is, unless a secret
 * key subscribes it. @throws AppError VALIDATION_ERROR if it would hold more than 64 KB
 */
export function newContact(tx: Tx, workspace: number, wish: ContactWish, reason: ContactRow["suppressed"]): NewContact {
  const isLifted = wish.subscribed === true && wish.mayLiftSuppression !== false;
  const suppressed = isLifted ? null : reason;
  const status = wish.pendingIfNew && suppressed === null ? "PENDING" : "ACTIVE";
  const subscribed = status === "ACTIVE" && suppressed === null && (wish.subscribed ?? wish.subscribedIfNew);
  return {
    id: newId(tx.nowMs),
    workspace,
    email: wish.email,
    subscribed,
    status,
    suppressed,
    data: dataWith("{}", wish),
  };
}

/** @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact */
export async function findContact(reader: Reader, workspace: number, id: string): Promise<ContactRow> {
  const contact = await contactById(reader, workspace, id);
  if (!contact) throw noContact(id);
  return contact;
}

export function noContact(id: string): AppError {
  return new AppError("CONTACT_NOT_FOUND", `There is no contact ${id}.`);
}

/**
 * The first step of erasing a contact: from now on it has no address, no data and no flag, its id is unknown, and its address
 * may become a new contact's. Answers its seq, by which its history is found (emails/erasure.ts).
 * @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact
 */
export async function withdrawContact(tx: Tx, workspace: number, id: string, erasure: Erasure): Promise<number> {
  const contact = await lockContact(tx, (await findContact(tx, workspace, id)).seq);
  if (contact?.id !== id) throw noContact(id);
  await rememberErased(tx, workspace, contact, erasure);
  await deleteErrorsAbout(tx, workspace, [contact.email, contact.id]);
  await stripContact(tx, workspace, contact, newId(tx.nowMs));
  return contact.seq;
}

const SUBSCRIPTION = [contactTopic("subscribed"), contactTopic("updatedAt")];

/** Emits contact.subscribed if this changed the flag; that of a PENDING contact is for the person alone to change. */
export async function subscribe(tx: Tx, workspace: number, contact: number): Promise<void> {
  if ((await setSubscribed(tx, contact, true)) === 0) return;
  await touch(tx, { workspace, contact, topics: SUBSCRIPTION });
  await emit(tx, { workspace, name: "contact.subscribed", contact, data: {} });
}

/** Emits contact.unsubscribed if this changed the flag; `reason` only where a machine did it. */
export async function unsubscribe(
  tx: Tx,
  workspace: number,
  contact: number,
  reason?: "bounce" | "complaint",
): Promise<void> {
  if (reason) await setSuppressed(tx, contact, reason);
  if ((await setSubscribed(tx, contact, false)) === 0) return;
  await touch(tx, { workspace, contact, topics: SUBSCRIPTION });
  await emit(tx, { workspace, name: "contact.unsubscribed", contact, data: reason ? { reason } : {} });
}

async function bringUpToDate(tx: Tx, workspace: number, seen: ContactRow, wish: ContactWish): Promise<ContactRow> {
  if (!changesOf(seen, wish)) return seen;
  const contact = await lockContactToChange(tx, seen.seq);
  if (!contact || !(await amend(tx, workspace, contact, wish))) return contact ?? seen;
  return (await contactByEmail(tx, workspace, contact.email)) ?? contact;
}

/**
 * Makes the changes that the wish is about to a contact that was read under lock; answers whether there were any.
 * @throws AppError VALIDATION_ERROR if the contact would hold more than 64 KB, before it has changed anything
 */
export async function amend(tx: Tx, workspace: number, contact: ContactRow, wish: ContactWish): Promise<boolean> {
  const changes = changesOf(contact, wish);
  if (!changes) return false;
  if (changes.data !== null) await changeData(tx, workspace, contact, changes.data);
  if (changes.subscribed === true) await subscribe(tx, workspace, contact.seq);
  if (changes.subscribed === false) await unsubscribe(tx, workspace, contact.seq);
  return true;
}

/** `data`: the whole of it, as `mergeData` answers it. */
export async function changeData(tx: Tx, workspace: number, contact: ContactRow, data: string): Promise<void> {
  if (data === contact.data) return;
  await setData(tx, contact.seq, data);
  const topics = [...changedKeys(contact.data, data).map(dataTopic), contactTopic("updatedAt")];
  await touch(tx, { workspace, contact: contact.seq, topics });
}

/** What the wish would change of the contact; null = nothing. */
function changesOf(contact: ContactRow, wish: ContactWish): { data: string | null; subscribed: boolean | null } | null {
  const wished = wish.mayUpdate === false ? keptAsItIs(contact.data, wish) : dataWith(contact.data, wish);
  const data = wished === contact.data ? null : wished;
  const isSuppressed = contact.suppressed !== null && wish.mayLiftSuppression === false;
  const isPersonal = contact.status === "PENDING" || wish.onlyInPerson === true;
  const refused = wish.subscribed
    ? isSuppressed || isPersonal || wish.mayUpdate === false
    : wish.mayUnsubscribe === false;
  const stands = wish.subscribed === undefined || wish.subscribed === (contact.subscribed === 1);
  const subscribed = stands || refused ? null : (wish.subscribed ?? null);
  return data === null && subscribed === null ? null : { data, subscribed };
}

/** What is too large for a new contact is refused here as well, or the answer would tell that this one is there. */
function keptAsItIs(current: string, wish: ContactWish): string {
  dataWith("{}", wish);
  return current;
}

function dataWith(current: string, { data, name }: ContactWish): string {
  const changes = name && !hasName(current, data) ? { ...data, name } : data;
  return Object.keys(changes).length === 0 ? current : mergeData(current, changes);
}

function hasName(current: string, changes: Variables): boolean {
  if ("name" in changes) return true;
  const { name } = JSON.parse(current) as { name?: unknown };
  return name !== undefined && name !== "";
}
