// The SQL of sessions, of the people behind them, and of the browsers they use.
import { flag } from "../../../store/columns.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { TOPICS_OF_W, type SendData } from "../../../tenant/access/key-queries.ts";
import { FACTOR_DUE, type MemberRole } from "../queries.ts";

export type Session = {
  readonly seq: number;
  readonly id: string;
  readonly client: string | null;
  /** The issuer of the provider that the user signed in with; null = they showed us who they are. */
  readonly provider: string | null;
  readonly provenAt: string;
  readonly seenAt: string;
  readonly endsAt: string;
  readonly createdAt: string;
};

const SESSION = sql`
  s.seq, s.id, s.client, s.provider, s.proven_at as "provenAt", s.seen_at as "seenAt", s.ends_at as "endsAt", s.created_at as "createdAt"`;

type NewSession = Pick<Session, "id" | "client" | "provider" | "provenAt" | "endsAt"> & {
  readonly person: number;
  readonly tokenHash: string;
};

export function insertSession(tx: Tx, { id, person, tokenHash, client, ...one }: NewSession): Promise<number> {
  const { provider, provenAt, endsAt } = one;
  return tx.run`
    insert into sessions (id, person, token_hash, client, provider, proven_at, seen_at, ends_at, created_at)
    values (${id}, ${person}, ${tokenHash}, ${client}, ${provider}, ${provenAt}, ${tx.now}, ${endsAt}, ${tx.now})`;
}

/** A signed-in person, and the workspace that they name, if they may be there. */
export type UserSession = Session & {
  readonly person: number;
  readonly personId: string;
  readonly personName: string;
  readonly isOwner: boolean;
  readonly workspace: number | null;
  readonly workspaceId: string | null;
  readonly disabledAt: string | null;
  readonly doubleOptIn: boolean;
  /** Keys, with blanks between; null = there are none. */
  readonly topics: string | null;
  readonly sendData: SendData | null;
  readonly postalAddress: string | null;
  readonly role: MemberRole | null;
  /** From when they need a second factor and have none; null = nothing is due. */
  readonly factorDueAt: string | null;
};

type SessionFlags = { readonly isOwner: 0 | 1; readonly doubleOptIn: 0 | 1 | null };

export async function signedInWith(
  reader: Reader,
  tokenHash: string,
  workspaceId: string | null,
): Promise<UserSession | null> {
  const row = await reader.get<Omit<UserSession, keyof SessionFlags> & SessionFlags>`
    select ${SESSION}, u.seq as person, u.id as "personId", u.name as "personName", u.is_owner as "isOwner",
      w.seq as workspace, w.id as "workspaceId", w.disabled_at as "disabledAt", w.double_opt_in as "doubleOptIn",
      w.send_data as "sendData", w.postal_address as "postalAddress", ${TOPICS_OF_W}, m.role,
      case when s.provider is null then ${FACTOR_DUE} end as "factorDueAt"
    from sessions s join users u on u.seq = s.person
    left join workspaces w on w.id = ${workspaceId} and w.arriving_until is null
    left join memberships m on m.person = u.seq and m.workspace = w.seq
    where s.token_hash = ${tokenHash}`;
  return row && { ...row, isOwner: flag(row.isOwner), doubleOptIn: flag(row.doubleOptIn ?? 0) };
}

export function touchSession(tx: Tx, seq: number, endsAt: string): Promise<number> {
  return tx.run`update sessions set seen_at = ${tx.now}, ends_at = ${endsAt} where seq = ${seq}`;
}

export function proveSession(tx: Tx, seq: number): Promise<number> {
  return tx.run`update sessions set proven_at = ${tx.now} where seq = ${seq}`;
}

/** Newest first. */
export function sessionsOf(reader: Reader, person: number): Promise<Session[]> {
  return reader.all<Session>`select ${SESSION} from sessions s where s.person = ${person} order by s.seq desc`;
}

export function sessionWith(reader: Reader, seq: number): Promise<Session | null> {
  return reader.get<Session>`select ${SESSION} from sessions s where s.seq = ${seq}`;
}

export function deleteSession(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from sessions where seq = ${seq}`;
}

export function deleteSessionById(tx: Tx, person: number, id: string): Promise<number> {
  return tx.run`delete from sessions where id = ${id} and person = ${person}`;
}

/** All sessions but one; `kept` null = all. */
export function deleteOtherSessions(tx: Tx, person: number, kept: number | null): Promise<number> {
  return tx.run`delete from sessions where person = ${person} and seq <> ${kept ?? 0}`;
}

/** The oldest ones, beyond the newest `kept`. */
export function deleteOldestSessions(tx: Tx, person: number, kept: number): Promise<number> {
  return tx.run`
    delete from sessions where person = ${person} and seq <=
      (select seq from sessions where person = ${person} order by seq desc limit 1 offset ${kept})`;
}

export function deleteEndedSessions(tx: Tx, now: string, most: number): Promise<number> {
  return tx.run`
    delete from sessions where seq in (select seq from sessions where ends_at <= ${now} order by ends_at limit ${most})`;
}

/** `hash`: of what its cookie holds. */
type Device = { readonly person: number; readonly hash: string; readonly endsAt: string };

export function touchDevice(tx: Tx, { person, hash, endsAt }: Device): Promise<number> {
  return tx.run`update devices set ends_at = ${endsAt} where person = ${person} and hash = ${hash}`;
}

export async function hasDevices(reader: Reader, person: number): Promise<boolean> {
  return (await reader.get`select 1 from devices where person = ${person} limit 1`) !== null;
}

/** Answers 0 if another sign-in in the browser has just done so. */
export function insertDevice(tx: Tx, { person, hash, endsAt }: Device): Promise<number> {
  return tx.run`
    insert into devices (person, hash, ends_at) values (${person}, ${hash}, ${endsAt}) on conflict do nothing`;
}

/** Beyond the newest `kept`. */
export function deleteOldestDevices(tx: Tx, person: number, kept: number): Promise<number> {
  return tx.run`
    delete from devices where person = ${person} and ends_at <=
      (select ends_at from devices where person = ${person} order by ends_at desc limit 1 offset ${kept})`;
}

export function deleteEndedDevices(tx: Tx, now: string, most: number): Promise<number> {
  return tx.run`
    delete from devices where (person, hash) in
      (select person, hash from devices where ends_at <= ${now} order by ends_at limit ${most})`;
}
