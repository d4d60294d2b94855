// The SQL of lists of people: all users of the installation, and the members of a workspace.
import type { Role } from "../../base/roles.ts";
import { flag } from "../../store/columns.ts";
import { sqlList, sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import { HAS_TOTP, NEEDS_PASSKEY } from "./queries.ts";

export type TeamUser = {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  readonly isProven: boolean;
  readonly name: string;
  readonly isOwner: boolean;
  readonly createdAt: string;
  /** When a member's role in the workspace was changed. */
  readonly updatedAt: string;
  /** A password does not let them in without a passkey; codes of an app are required. */
  readonly needsPasskey: boolean;
  readonly hasTotp: boolean;
  /** The issuer of the provider that decides whether they are an owner, or a member's role; null = a person does. */
  readonly givenBy: string | null;
  /** Null = is signed in nowhere. */
  readonly lastSeenAt: string | null;
};

type UserFlag = "isOwner" | "isProven" | "needsPasskey" | "hasTotp";
type TeamUserRow = Omit<TeamUser, UserFlag> & { readonly [Flag in UserFlag]: 0 | 1 };

const FACTORS = sql`
  case when ${NEEDS_PASSKEY} then 1 else 0 end as "needsPasskey", case when ${HAS_TOTP} then 1 else 0 end as "hasTotp"`;

const LISTED = sql`
  u.seq, u.id, u.email, u.address_proven as "isProven", u.name, u.is_owner as "isOwner", u.created_at as "createdAt",
  (select max(s.seen_at) from sessions s where s.person = u.seq) as "lastSeenAt", ${FACTORS}`;

const USER = sql`${LISTED}, u.owner_by as "givenBy", u.updated_at as "updatedAt"`;

function withFlags<One extends TeamUserRow>(row: One): Omit<One, UserFlag> & Pick<TeamUser, UserFlag> {
  const { isOwner, isProven, needsPasskey, hasTotp } = row;
  return {
    ...row,
    isOwner: flag(isOwner),
    isProven: flag(isProven),
    needsPasskey: flag(needsPasskey),
    hasTotp: flag(hasTotp),
  };
}

export async function countUsers(reader: Reader): Promise<number> {
  return (await reader.get<{ total: number }>`select count(*) as total from users`)?.total ?? 0;
}

/** By address. */
export async function usersPage(reader: Reader, limit: number, offset: number): Promise<TeamUser[]> {
  const rows =
    await reader.all<TeamUserRow>`select ${USER} from users u order by u.email limit ${limit} offset ${offset}`;
  return rows.map(withFlags);
}

export async function listedUser(reader: Reader, seq: number): Promise<TeamUser | null> {
  const row = await reader.get<TeamUserRow>`select ${USER} from users u where u.seq = ${seq}`;
  return row && withFlags(row);
}

export type PersonMembership = {
  readonly person: number;
  readonly id: string;
  readonly name: string;
  readonly role: Role;
};

/** The roles of these people. */
export function rolesAmong(reader: Reader, people: readonly number[]): Promise<PersonMembership[]> {
  if (people.length === 0) return Promise.resolve([]);
  return reader.all<PersonMembership>`
    select m.person, w.id, w.name, m.role from memberships m join workspaces w on w.seq = m.workspace
    where m.person in (${sqlList(people)}) order by m.person, m.workspace`;
}

export type TeamMember = TeamUser & { readonly role: Role };

const OF_WORKSPACE = sql`from users u left join memberships m on m.person = u.seq and m.workspace = `;

/** Owners are in every workspace. Each part has an index, so an installation may have any number of users. */
function membersOf(workspace: number) {
  return sql`(
    select person from memberships where workspace = ${workspace} union select seq as person from users where is_owner = 1)`;
}

export async function countMembers(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from ${membersOf(workspace)} as those`;
  return row?.total ?? 0;
}

const ROLE = sql`
  case when u.is_owner = 1 then 'OWNER' else m.role end as role,
  case when u.is_owner = 1 then u.owner_by else m.given_by end as "givenBy",
  case when u.is_owner = 1 or m.updated_at is null then u.updated_at else m.updated_at end as "updatedAt"`;

/** By address. */
export async function membersPage(
  reader: Reader,
  workspace: number,
  limit: number,
  offset: number,
): Promise<TeamMember[]> {
  const rows = await reader.all<TeamUserRow & Pick<TeamMember, "role">>`
    select ${LISTED}, ${ROLE} from ${membersOf(workspace)} as those cross join users u
    left join memberships m on m.person = u.seq and m.workspace = ${workspace}
    where u.seq = those.person order by u.email limit ${limit} offset ${offset}`;
  return rows.map(withFlags);
}

/**
 * The addresses of the people in a workspace who look after its programs: developers and admins, or else the owners.
 */
export async function developersOf(reader: Reader, workspace: number): Promise<string[]> {
  const named = await reader.all<{ email: string }>`
    select u.email from memberships m join users u on u.seq = m.person
    where m.workspace = ${workspace} and m.role in ('DEVELOPER', 'ADMIN')`;
  const found =
    named.length > 0 ? named : await reader.all<{ email: string }>`select email from users where is_owner = 1`;
  return found.map(({ email }) => email).sort();
}

/** Null for people outside the workspace. */
export function memberWith(reader: Reader, workspace: number, id: string): Promise<TeamMember | null> {
  return member(reader, workspace, sql`u.id = ${id}`);
}

export function memberWithAddress(reader: Reader, workspace: number, email: string): Promise<TeamMember | null> {
  return member(reader, workspace, sql`u.email = ${email}`);
}

async function member(reader: Reader, workspace: number, who: Sql): Promise<TeamMember | null> {
  const row = await reader.get<TeamUserRow & Pick<TeamMember, "role">>`
    select ${LISTED}, ${ROLE} ${OF_WORKSPACE}${workspace} where ${who} and (u.is_owner = 1 or m.person is not null)`;
  return row && withFlags(row);
}
