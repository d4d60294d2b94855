// PATCH /contacts/{id}: changes the address, the flag, data and topics.
import { AppError, invalidField, readAll } from "../../base/errors.ts";
import { touch } from "../../tenant/events/outbox.ts";
import { contactSubject } from "../../tenant/events/subjects.ts";
import { optionalAddress } from "../../http/body/address-field.ts";
import type { Tx } from "../../store/store.ts";
import { refuseSavedSince, timeOfSaving, type SaveTerms } from "../../tenant/access/saving.ts";
import { change, findAndLock, findContact, lift, type ContactChange } from "./contact.ts";
import { mergeData, readData, type Variables } from "./data.ts";
import type { ConsentAct } from "../consent/consent.ts";
import { pause, readPause, resume } from "./pause.ts";
import { mergeChoices, type ChoiceChanges } from "../topics/choice.ts";
import { insertFormer } from "./past/former-queries.ts";
import { contactByEmail, type Contact } from "./queries.ts";
import { setEmail, setUpdatedAt } from "./change-queries.ts";
import { markContacts } from "../suppressions/queries.ts";
import { standingOf } from "../suppressions/standing.ts";
import { takeOver } from "../suppressions/erased.ts";
import { searchFieldsOf } from "./search/search-queries.ts";
import { reasonIn } from "./suppression.ts";
import { soughtOf } from "./search/sought.ts";
import { askAtNewAddress, type AskToConfirm } from "./sign-up/sign-up.ts";

/** A field that is null stays unchanged. */
type ChangeInput = Pick<SaveTerms, "ifUpdatedAt"> & {
  readonly email?: string | null;
  readonly subscribed?: boolean | null;
  /** Lifts a suppression. */
  readonly suppressed?: false | null;
  /** Merged into the contact's data; null deletes a key. */
  readonly data?: Variables | null;
  /** The end of the pause of marketing mail; null ends the pause now, undefined leaves it. */
  readonly pausedUntil?: string | null | undefined;
  /** Changes of the contact's topic choices. */
  readonly topics?: ChoiceChanges;
};

type ChangeTarget = {
  readonly workspace: number;
  readonly id: string;
  /** The author of the change, as in events. */
  readonly cause: string | null;
};

/**
 * Answers the changed contact; a PENDING one is asked at its new address. Emits contact.subscribed or
 * contact.unsubscribed if the flag changed.
 * @throws AppError CONTACT_NOT_FOUND, also for another workspace's contact; CONFLICT if another contact has the
 * address, the workspace has no verified domain to ask from, or the contact has changed since `ifUpdatedAt`;
 * VALIDATION_ERROR with the faults of all fields, or on `pausedUntil` of a contact that is not subscribed
 */
export async function changeContact(
  tx: Tx,
  { workspace, id, cause }: ChangeTarget,
  input: ChangeInput,
  ask: AskToConfirm,
): Promise<Contact> {
  const { email, data, pausedUntil } = readAll({
    email: () => optionalAddress("email", input.email) ?? null,
    data: () => readData(input.data ?? {}).stored,
    pausedUntil: () => readPause(input.pausedUntil, tx.nowMs),
  });
  const contact = await findAndLock(tx, workspace, id);
  refuseSavedSince(tx, contact, input);
  const isRenamed = email !== null && email !== contact.email;
  const searchFields = await searchFieldsOf(tx, workspace);
  const renamed = isRenamed ? await rename(tx, { workspace, contact, searchFields }, email) : contact;
  const changes = {
    data: mergeData(contact.data, data),
    topics: mergeChoices(contact.topics, input.topics ?? {}),
    subscribed: input.subscribed ?? null,
  };
  // A subscription lifts most suppressions as well.
  if (input.suppressed === false) await lift(tx, workspace, renamed, { cause });
  await change(tx, workspace, { contact: renamed, ...changes, searchFields }, { cause });
  const settled = await findContact(tx, workspace, id);
  const isSaid = await setPause(tx, { ...settled, workspace }, pausedUntil, { cause });
  const changed = await withOwnTime(tx, contact, isSaid ? await findContact(tx, workspace, id) : settled);
  return isRenamed && changed.status === "PENDING"
    ? askAtNewAddress(tx, workspace, changed, { ask, act: { cause } })
    : changed;
}

/** Gives each of two changes within a millisecond its own time, so that `ifUpdatedAt` tells them apart. */
async function withOwnTime(tx: Tx, before: Contact, changed: Contact): Promise<Contact> {
  if (changed.updatedAt !== before.updatedAt || Bun.deepEquals(changed, before)) return changed;
  const updatedAt = timeOfSaving(tx, before);
  await setUpdatedAt(tx, changed.seq, updatedAt);
  return { ...changed, updatedAt };
}

type PauseChange = Parameters<typeof resume>[1] & Pick<Contact, "subscribed">;

/** `contact`: after all other changes. False = no event is emitted. */
async function setPause(
  tx: Tx,
  contact: PauseChange,
  until: string | null | undefined,
  act: ConsentAct,
): Promise<boolean> {
  if (until === undefined) return false;
  if (until !== null && !contact.subscribed)
    throw invalidField("pausedUntil", "Only a subscribed contact can pause email.", "not_subscribed");
  await (until === null ? resume(tx, contact, act) : pause(tx, contact, until, act));
  return true;
}

type ContactAddressChange = Pick<ContactChange, "contact" | "searchFields"> & { readonly workspace: number };

/** Suppresses the contact if its new address is suppressed. */
async function rename(
  tx: Tx,
  { workspace, contact, searchFields }: ContactAddressChange,
  email: string,
): Promise<Contact> {
  if (await contactByEmail(tx, workspace, email))
    throw new AppError("CONFLICT", `A contact with the address ${email} already exists.`, {
      reason: "address_is_contacts",
      values: { email },
    });
  await setEmail(tx, contact.seq, { email, sought: soughtOf(email, contact.data, searchFields) });
  await insertFormer(tx, { workspace, contact: contact.seq, address: contact.email, merged: 0 });
  await touch(tx, {
    workspace,
    contact: contact.seq,
    subjects: [contactSubject("email"), contactSubject("updatedAt")],
  });
  await takeOver(tx, workspace, [email]);
  const suppressed = reasonIn((await standingOf(tx, { workspace, email })).own);
  if (suppressed !== contact.suppressed) await markContacts(tx, [{ seq: contact.seq, suppressed }]);
  return { ...contact, email, suppressed };
}
