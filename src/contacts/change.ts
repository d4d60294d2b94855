// PATCH /contacts/{id}: another address, another flag, other data (interface-gaps.md §3).
import { AppError, readAll } from "../errors.ts";
import { touch } from "../events/outbox.ts";
import { contactTopic } from "../events/topics.ts";
import { optionalAddress } from "../http/address-field.ts";
import type { Tx } from "../store/store.ts";
import { changeData, findContact, noContact, subscribe, unsubscribe } from "./contact.ts";
import { mergeData, readData, type Variables } from "./data.ts";
import { contactByEmail, lockContact, setEmail, type ContactRow } from "./queries.ts";
import { askAtNewAddress, type AskToConfirm } from "./sign-up.ts";

/** What is null stays as it is. */
type ContactChange = {
  /** In its stored form. */
  readonly email: string | null;
  readonly subscribed: boolean | null;
  /** Merged into what is there; null deletes a key. */
  readonly data: Variables;
};

type Target = {
  readonly workspace: number;
  readonly id: string;
  /** A PENDING contact is asked at its new address. */
  readonly ask: AskToConfirm;
};

type ChangeBody = {
  readonly email?: string | null;
  readonly subscribed?: boolean | null;
  readonly data?: Variables | null;
};

/** @throws AppError VALIDATION_ERROR with the faults of all fields */
export function readChange({ email, subscribed, data }: ChangeBody): ContactChange {
  const read = readAll({
    email: () => optionalAddress("email", email) ?? null,
    data: () => readData(data ?? {}).stored,
  });
  return { ...read, subscribed: subscribed ?? null };
}

/**
 * Answers the contact as it is then. Emits contact.subscribed or contact.unsubscribed if that changed.
 * @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact; CONFLICT if another contact has the address, or the
 * workspace nowhere to ask a PENDING one from; VALIDATION_ERROR if the contact would hold too much data
 */
export async function changeContact(
  tx: Tx,
  { workspace, id, ask }: Target,
  { email, subscribed, data }: ContactChange,
): Promise<ContactRow> {
  const seen = await findContact(tx, workspace, id);
  const contact = await lockContact(tx, seen.seq);
  if (contact?.id !== id) throw noContact(id);
  const isRenamed = email !== null && email !== contact.email;
  if (isRenamed) await rename(tx, workspace, contact.seq, email);
  if (Object.keys(data).length > 0) await changeData(tx, workspace, contact, mergeData(contact.data, data));
  if (subscribed === true) await subscribe(tx, workspace, contact.seq);
  if (subscribed === false) await unsubscribe(tx, workspace, contact.seq);
  const changed = await findContact(tx, workspace, id);
  return isRenamed && changed.status === "PENDING" ? askAtNewAddress(tx, workspace, changed, ask) : changed;
}

async function rename(tx: Tx, workspace: number, contact: number, email: string): Promise<void> {
  if (await contactByEmail(tx, workspace, email)) throw taken(email);
  await setEmail(tx, contact, email);
  await touch(tx, { workspace, contact, topics: [contactTopic("email"), contactTopic("updatedAt")] });
}

function taken(email: string): AppError {
  return new AppError("CONFLICT", `There is a contact with the address ${email} already.`);
}
