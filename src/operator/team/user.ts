// Users: the people of an installation. An owner may do everything; there is always one, once there was a first.
import { parseAddress } from "../../base/addresses.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { requiredAddress } from "../../http/body/address-field.ts";
import { newId } from "../../base/ids.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { deleteLinksBy, deleteLinksOf } from "./invitation-queries.ts";
import { refuseSavedSince, timeOfSaving, type SaveTerms } from "../../tenant/access/saving.ts";
import { refuseGiven, type RoleGiver } from "./identities/given.ts";
import { listedUser, type TeamUser } from "./people-queries.ts";
import { deletePasskeysOf } from "./passkeys/queries.ts";
import {
  deleteUser,
  insertUser,
  lockOwners,
  setNeedsPasskey,
  setOwner,
  setPasswordHash,
  userById,
  userBySeq,
  type User,
} from "./queries.ts";
import { deleteOtherSessions } from "./session/session-queries.ts";

/** Addresses are compared in lower case. @throws AppError VALIDATION_ERROR on `email` */
export function loginAddress(text: string): string {
  return requiredAddress("email", text).toLowerCase();
}

/** As `loginAddress`; invalid text is an address without a user. */
export function triedAddress(text: string): string {
  return (parseAddress(text.trim()) ?? text.trim()).toLowerCase();
}

type UserInput = {
  readonly email: string;
  readonly name: string;
  readonly isOwner?: boolean;
  readonly passwordHash?: string | null;
};

/** `email` as `loginAddress` answers it. @throws AppError CONFLICT if it is taken */
export async function createUser(
  tx: Tx,
  { email, name, isOwner = false, passwordHash = null }: UserInput,
): Promise<User> {
  const made = await insertUser(tx, { id: newId(tx.nowMs), email, name, isOwner, passwordHash });
  if (!made) throw new AppError("CONFLICT", "This address belongs to a user already.", { reason: "address_is_users" });
  return made;
}

/** @throws AppError VALIDATION_ERROR on `name` */
export function personName(name: string | null | undefined): string {
  const trimmed = name?.trim() ?? "";
  if (trimmed === "") throw invalidField("name", "A name is needed.", "required");
  return trimmed;
}

/** @throws AppError USER_NOT_FOUND */
export async function findUser(reader: Reader, id: string): Promise<User> {
  const user = await userById(reader, id);
  if (!user) throw new AppError("USER_NOT_FOUND", `There is no user ${id}.`);
  return user;
}

/** A signed-in user. @throws AppError USER_NOT_FOUND if they have just been removed */
export async function ownUser(reader: Reader, seq: number): Promise<User> {
  const user = await userBySeq(reader, seq);
  if (!user) throw new AppError("USER_NOT_FOUND", "This user was removed.");
  return user;
}

type OwnerChange = Pick<SaveTerms, "ifUpdatedAt"> & {
  readonly owner: boolean;
  readonly providers: readonly RoleGiver[];
};

/**
 * @throws AppError CONFLICT for the last owner, for one whom a provider has made an owner, or if the user was changed
 * since `ifUpdatedAt`
 */
export async function changeOwner(
  tx: Tx,
  user: User,
  { owner: isOwner, providers, ...saving }: OwnerChange,
): Promise<void> {
  await lockOwners(tx);
  const before = (await listedUser(tx, user.seq)) as TeamUser;
  refuseGiven(before, providers);
  refuseSavedSince(tx, before, saving);
  if (!isOwner) await refuseLastOwner(tx, user);
  // Or they could make themselves an owner again.
  if (!isOwner) await deleteLinksBy(tx, user.seq, null);
  await setOwner(tx, user.seq, isOwner, { at: timeOfSaving(tx, before) });
}

/** A user's new credentials. */
export type NewSecrets = {
  /** Null = a passkey is the only way in. */
  readonly passwordHash: string | null;
  /** False = passkeys end: a stranger may have added one. */
  readonly keepPasskeys: boolean;
};

/** Sessions but `session` end too, and so do links for a new password. */
export async function replaceSecrets(
  tx: Tx,
  person: number,
  { passwordHash, keepPasskeys }: NewSecrets,
  session: number | null,
): Promise<void> {
  await setPasswordHash(tx, person, passwordHash);
  if (!keepPasskeys) {
    await deletePasskeysOf(tx, person);
    await setNeedsPasskey(tx, person, false);
  }
  await deleteOtherSessions(tx, person, session);
  await deleteLinksOf(tx, person);
}

/** With sessions, passkeys and roles. @throws AppError CONFLICT for the last owner */
export async function removeUser(tx: Tx, user: User): Promise<void> {
  await refuseLastOwner(tx, user);
  await deleteUser(tx, user.seq);
}

async function refuseLastOwner(tx: Tx, { seq }: User): Promise<void> {
  const owners = await lockOwners(tx);
  if (owners.length > 1 || !owners.includes(seq)) return;
  throw new AppError("CONFLICT", "This is the last owner.", {
    reason: "last_owner",
    suggestion: "Make somebody else an owner first.",
  });
}
