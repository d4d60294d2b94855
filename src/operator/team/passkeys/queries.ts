// The SQL of passkeys and of spent challenges.
import { json } from "../../../store/columns.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

export type Passkey = {
  readonly seq: number;
  readonly id: string;
  readonly person: number;
  /** The credential's own id, in base64url. */
  readonly credential: string;
  /** In base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly usedAt: string | null;
  readonly createdAt: string;
};

type PasskeyRow = Omit<Passkey, "transports"> & { readonly transports: string };

const PASSKEY = sql`
  seq, id, person, credential, public_key as "publicKey", counter, transports, name, used_at as "usedAt",
  created_at as "createdAt"`;

function withTransports(row: PasskeyRow): Passkey {
  return { ...row, transports: json(row.transports) };
}

/** Oldest first. */
export async function passkeysOf(reader: Reader, person: number): Promise<Passkey[]> {
  const rows = await reader.all<PasskeyRow>`select ${PASSKEY} from passkeys where person = ${person} order by seq`;
  return rows.map(withTransports);
}

export async function passkeyWith(reader: Reader, credential: string): Promise<Passkey | null> {
  const row = await reader.get<PasskeyRow>`select ${PASSKEY} from passkeys where credential = ${credential}`;
  return row && withTransports(row);
}

type NewPasskey = Pick<Passkey, "id" | "person" | "credential" | "publicKey" | "counter" | "transports" | "name">;

/** Answers 0 if the credential is known already. */
export function insertPasskey(tx: Tx, one: NewPasskey): Promise<number> {
  return tx.run`
    insert into passkeys (id, person, credential, public_key, counter, transports, name, created_at)
    values (${one.id}, ${one.person}, ${one.credential}, ${one.publicKey}, ${one.counter},
      ${JSON.stringify(one.transports)}, ${one.name}, ${tx.now})
    on conflict (credential) do nothing`;
}

export function notePasskeyUse(tx: Tx, seq: number, counter: number): Promise<number> {
  return tx.run`update passkeys set counter = ${counter}, used_at = ${tx.now} where seq = ${seq}`;
}

export function deletePasskeysOf(tx: Tx, person: number): Promise<number> {
  return tx.run`delete from passkeys where person = ${person}`;
}

export function deletePasskey(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from passkeys where seq = ${seq}`;
}

/** Answers 0 if it is spent already. */
export function insertSpent(tx: Tx, hash: string, endsAt: string): Promise<number> {
  return tx.run`insert into spent_challenges (hash, ends_at) values (${hash}, ${endsAt}) on conflict (hash) do nothing`;
}

export function deleteEndedSpent(tx: Tx, now: string, most: number): Promise<number> {
  return tx.run`
    delete from spent_challenges where hash in
      (select hash from spent_challenges where ends_at <= ${now} order by ends_at limit ${most})`;
}
