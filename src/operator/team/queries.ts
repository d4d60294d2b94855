// The SQL of users and of their roles in workspaces.
import type { Role } from "../../base/roles.ts";
import { flag } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

export type User = {
  readonly seq: number;
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  /** The user came in by a link that only the mailbox of the address got. */
  readonly isProven: boolean;
  readonly name: string;
  readonly isOwner: boolean;
  /** The issuer of the provider that has made them an owner; null = a person has, or they are none. */
  readonly ownerBy: string | null;
  /** Null = the user signs in with a passkey, or with a provider. */
  readonly passwordHash: string | null;
  /** The password alone is not enough. */
  readonly needsPasskey: boolean;
  /** The overview shows them no first steps. */
  readonly hidesSteps: boolean;
  readonly createdAt: string;
};

/** A role that belongs to one workspace. */
export type MemberRole = Exclude<Role, "OWNER">;

type UserFlags = Readonly<Record<"isOwner" | "isProven" | "needsPasskey" | "hidesSteps", 0 | 1>>;
type UserRow = Omit<User, keyof UserFlags> & UserFlags;

const USER = sql`
  seq, id, email, address_proven as "isProven", name, is_owner as "isOwner", owner_by as "ownerBy", password_hash as "passwordHash",
  needs_passkey as "needsPasskey", hides_steps as "hidesSteps", created_at as "createdAt"`;

function withFlags(row: UserRow): User {
  const { isOwner, isProven, needsPasskey, hidesSteps } = row;
  return {
    ...row,
    isOwner: flag(isOwner),
    isProven: flag(isProven),
    needsPasskey: flag(needsPasskey),
    hidesSteps: flag(hidesSteps),
  };
}

async function oneUser(row: Promise<UserRow | null>): Promise<User | null> {
  const found = await row;
  return found && withFlags(found);
}

export async function hasUsers(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 from users limit 1`) !== null;
}

export function userByEmail(reader: Reader, email: string): Promise<User | null> {
  return oneUser(reader.get`select ${USER} from users where email = ${email}`);
}

export function userById(reader: Reader, id: string): Promise<User | null> {
  return oneUser(reader.get`select ${USER} from users where id = ${id}`);
}

export function userBySeq(reader: Reader, seq: number): Promise<User | null> {
  return oneUser(reader.get`select ${USER} from users where seq = ${seq}`);
}

type NewUser = Pick<User, "id" | "email" | "name" | "isOwner" | "passwordHash">;

/** Answers null if the address is taken. */
export function insertUser(tx: Tx, { id, email, name, isOwner, passwordHash }: NewUser): Promise<User | null> {
  return oneUser(tx.get`
    insert into users (id, email, name, is_owner, password_hash, created_at, updated_at)
    values (${id}, ${email}, ${name}, ${isOwner ? 1 : 0}, ${passwordHash}, ${tx.now}, ${tx.now})
    on conflict (email) do nothing returning ${USER}`);
}

export function setUserName(tx: Tx, seq: number, name: string): Promise<number> {
  return tx.run`update users set name = ${name}, updated_at = ${tx.now} where seq = ${seq}`;
}

export function setPasswordHash(tx: Tx, seq: number, hash: string | null): Promise<number> {
  return tx.run`update users set password_hash = ${hash}, updated_at = ${tx.now} where seq = ${seq}`;
}

export function setNeedsPasskey(tx: Tx, seq: number, needsPasskey: boolean): Promise<number> {
  return tx.run`update users set needs_passkey = ${needsPasskey ? 1 : 0}, updated_at = ${tx.now} where seq = ${seq}`;
}

export function setHidesSteps(tx: Tx, seq: number, hidesSteps: boolean): Promise<number> {
  return tx.run`update users set hides_steps = ${hidesSteps ? 1 : 0}, updated_at = ${tx.now} where seq = ${seq}`;
}

/** Notes if the user has proven their address. */
export function setProven(tx: Tx, seq: number, isProven: boolean): Promise<number> {
  return tx.run`update users set address_proven = ${isProven ? 1 : 0}, updated_at = ${tx.now} where seq = ${seq}`;
}

/** `by`: the issuer of the provider that decides it; null = a person does. */
type OwnerTerms = { readonly at?: string; readonly by?: string | null };

export function setOwner(
  tx: Tx,
  seq: number,
  isOwner: boolean,
  { at = tx.now, by = null }: OwnerTerms = {},
): Promise<number> {
  return tx.run`
    update users set is_owner = ${isOwner ? 1 : 0}, owner_by = ${by}, updated_at = ${at} where seq = ${seq}`;
}

export function deleteUser(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from users where seq = ${seq}`;
}

/** The owners as they are now; no owner is added or removed before this transaction ends. */
export async function lockOwners(tx: Tx): Promise<number[]> {
  const rows = await tx.all<{
    seq: number;
  }>`select seq from users where is_owner = 1 order by seq${tx.dialect.forUpdate}`;
  return rows.map(({ seq }) => seq);
}

/** For a user u. A passkey is a second factor only if the password alone does not sign in. */
export const NEEDS_PASSKEY = sql`
  (u.needs_passkey = 1 or u.password_hash is null) and exists (select 1 from passkeys p where p.person = u.seq)`;
export const HAS_TOTP = sql`
  exists (select 1 from totp_secrets o where o.person = u.seq and o.confirmed_at is not null)`;
/** From when a user u needs a second factor and has none; null = nothing is due. */
export const FACTOR_DUE = sql`(
  select i.second_factor_from from installation i
  where i.one = 1 and i.second_factor_from is not null and not (${NEEDS_PASSKEY}) and not (${HAS_TOTP}))`;

/** The factors of a user beside the password. */
export type FactorState = {
  readonly hasTotp: boolean;
  readonly recoveryCodesLeft: number;
  /** As FACTOR_DUE. */
  readonly dueAt: string | null;
};

type FactorRow = Omit<FactorState, "hasTotp"> & { readonly hasTotp: 0 | 1 };

/** The second factors of an existing user. */
export async function factorState(reader: Reader, person: number): Promise<FactorState> {
  const row = await reader.get<FactorRow>`
    select case when ${HAS_TOTP} then 1 else 0 end as "hasTotp", ${FACTOR_DUE} as "dueAt",
      (select count(*) from recovery_codes r where r.person = u.seq) as "recoveryCodesLeft"
    from users u where u.seq = ${person}`;
  const found = row as FactorRow;
  return { ...found, hasTotp: flag(found.hasTotp) };
}

/** A person in a workspace. */
export type Seat = {
  readonly person: number;
  readonly workspace: number;
  /** The issuer of the provider that decides the role; unless given, a person does. */
  readonly givenBy?: string;
};

/** Gives a person this role in a workspace, in place of any other. */
export function setMembership(tx: Tx, seat: Seat, role: MemberRole, at = tx.now): Promise<number> {
  const { person, workspace, givenBy = null } = seat;
  return tx.run`
    insert into memberships (person, workspace, role, given_by, created_at, updated_at)
    values (${person}, ${workspace}, ${role}, ${givenBy}, ${tx.now}, ${at})
    on conflict (person, workspace) do update set
      role = excluded.role, given_by = excluded.given_by, updated_at = excluded.updated_at`;
}

export function deleteMembership(tx: Tx, person: number, workspace: number): Promise<number> {
  return tx.run`delete from memberships where person = ${person} and workspace = ${workspace}`;
}

/** `givenBy`: as of a seat; null = a person has given it. */
export type HeldRole = { readonly workspace: number; readonly role: MemberRole; readonly givenBy: string | null };

/** In all workspaces. */
export function rolesHeld(reader: Reader, person: number): Promise<HeldRole[]> {
  return reader.all<HeldRole>`
    select workspace, role, given_by as "givenBy" from memberships where person = ${person} order by workspace`;
}

export type TeamMembership = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly disabledAt: string | null;
};

/** The workspaces where a person has a role. */
export function membershipsOf(reader: Reader, person: number, most: number): Promise<TeamMembership[]> {
  return reader.all<TeamMembership>`
    select w.id, w.name, m.role, w.disabled_at as "disabledAt" from memberships m join workspaces w on w.seq = m.workspace
    where m.person = ${person} order by m.workspace limit ${most}`;
}

/** All workspaces, as an owner sees them. */
export function ownedWorkspaces(reader: Reader, most: number): Promise<TeamMembership[]> {
  return reader.all<TeamMembership>`
    select id, name, 'OWNER' as role, disabled_at as "disabledAt" from workspaces where arriving_until is null order by seq limit ${most}`;
}
