// The SQL of invitations: links that let a person in, once.
import type { Role } from "../../base/roles.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

export type Invitation = {
  readonly seq: number;
  readonly id: string;
  /** Null = it is no invitation to a workspace. */
  readonly workspace: number | null;
  readonly workspaceName: string | null;
  /** The user who is to set a new password. */
  readonly person: number | null;
  readonly personName: string | null;
  readonly email: string | null;
  readonly role: Role;
  readonly invitedBy: string | null;
  /** Only the recipient of its mail saw the link. */
  readonly mailedOnly: 0 | 1;
  readonly endsAt: string;
  readonly createdAt: string;
};

const INVITATION = sql`
  i.seq, i.id, i.workspace, w.name as "workspaceName", i.person, u.name as "personName", i.email, i.role,
  i.invited_by as "invitedBy", i.mailed_only as "mailedOnly", i.ends_at as "endsAt", i.created_at as "createdAt"
  from invitations i left join workspaces w on w.seq = i.workspace left join users u on u.seq = i.person`;

type NewInvitation = Pick<Invitation, "id" | "workspace" | "person" | "email" | "role" | "invitedBy" | "endsAt"> & {
  readonly tokenHash: string;
  /** The user who makes it; null = the command line or the first start. */
  readonly inviter: number | null;
};

export function insertInvitation(tx: Tx, one: NewInvitation): Promise<number> {
  return tx.run`
    insert into invitations (id, token_hash, workspace, person, email, role, invited_by, inviter, ends_at, created_at)
    values (${one.id}, ${one.tokenHash}, ${one.workspace}, ${one.person}, ${one.email}, ${one.role}, ${one.invitedBy},
      ${one.inviter}, ${one.endsAt}, ${tx.now})`;
}

/** From then on it proves the address. */
export function setMailedOnly(tx: Tx, seq: number): Promise<number> {
  return tx.run`update invitations set mailed_only = 1 where seq = ${seq}`;
}

export function invitationWith(reader: Reader, tokenHash: string): Promise<Invitation | null> {
  return reader.get<Invitation>`select ${INVITATION} where i.token_hash = ${tokenHash}`;
}

export function invitationTo(reader: Reader, workspace: number, email: string): Promise<Invitation | null> {
  return reader.get<Invitation>`select ${INVITATION} where i.workspace = ${workspace} and i.email = ${email}`;
}

/** To workspaces, and not to the installation as an owner. */
export function openInvitationsTo(reader: Reader, email: string, now: string): Promise<Invitation[]> {
  return reader.all<Invitation>`
    select ${INVITATION} where i.email = ${email} and i.workspace is not null and i.role <> 'OWNER'
      and i.ends_at > ${now} order by i.seq`;
}

/** Answers 0 if another request has just used it. */
export function deleteInvitation(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from invitations where seq = ${seq}`;
}

export function deleteInvitationById(tx: Tx, workspace: number, id: string): Promise<number> {
  return tx.run`delete from invitations where id = ${id} and workspace = ${workspace}`;
}

export function deleteInvitationsTo(tx: Tx, workspace: number, email: string): Promise<number> {
  return tx.run`delete from invitations where workspace = ${workspace} and email = ${email}`;
}

export function deleteLinksOf(tx: Tx, person: number): Promise<number> {
  return tx.run`delete from invitations where person = ${person}`;
}

/** The links that a user has made; `workspace` null = to any. */
export function deleteLinksBy(tx: Tx, inviter: number, workspace: number | null): Promise<number> {
  const there = workspace === null ? sql`` : sql` and workspace = ${workspace}`;
  return tx.run`delete from invitations where inviter = ${inviter}${there}`;
}

/** All links for a first owner; answers their numbers. */
export async function deleteWelcomes(tx: Tx): Promise<number[]> {
  const rows = await tx.all<{
    seq: number;
  }>`delete from invitations where workspace is null and person is null returning seq`;
  return rows.map(({ seq }) => seq);
}

export async function countInvitations(reader: Reader, workspace: number, now: string): Promise<number> {
  const row = await reader.get<{ total: number }>`
    select count(*) as total from invitations where workspace = ${workspace} and ends_at > ${now}`;
  return row?.total ?? 0;
}

type InvitationRange = { readonly limit: number; readonly offset: number };

/** By address. */
export function invitationsPage(
  reader: Reader,
  workspace: number,
  now: string,
  { limit, offset }: InvitationRange,
): Promise<Invitation[]> {
  return reader.all<Invitation>`
    select ${INVITATION} where i.workspace = ${workspace} and i.ends_at > ${now}
    order by i.email limit ${limit} offset ${offset}`;
}

export function deleteEndedInvitations(tx: Tx, now: string, most: number): Promise<number> {
  return tx.run`
    delete from invitations where seq in
      (select seq from invitations where ends_at <= ${now} order by ends_at limit ${most})`;
}
