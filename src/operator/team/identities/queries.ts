// The SQL of identities: which person at a provider of sign-ins a user is.
import { sql, sqlList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

export type Identity = {
  readonly seq: number;
  readonly id: string;
  readonly person: number;
  readonly issuer: string;
  readonly subject: string;
  /** Null = the provider has verified none. */
  readonly email: string | null;
  readonly usedAt: string | null;
  readonly createdAt: string;
};

const IDENTITY = sql`seq, id, person, issuer, subject, email, used_at as "usedAt", created_at as "createdAt"`;

export function identityWith(reader: Reader, issuer: string, subject: string): Promise<Identity | null> {
  return reader.get<Identity>`select ${IDENTITY} from identities where issuer = ${issuer} and subject = ${subject}`;
}

/** By issuer. */
export function identitiesOf(reader: Reader, person: number): Promise<Identity[]> {
  return reader.all<Identity>`select ${IDENTITY} from identities where person = ${person} order by issuer`;
}

/** The issuers at which these people are known. */
export function issuersAmong(
  reader: Reader,
  people: readonly number[],
): Promise<{ readonly person: number; readonly issuer: string }[]> {
  if (people.length === 0) return Promise.resolve([]);
  return reader.all`select person, issuer from identities where person in (${sqlList(people)}) order by person, issuer`;
}

type NewIdentity = Pick<Identity, "id" | "person" | "issuer" | "subject" | "email">;

/** Answers 0 if either of the two is linked already. */
export function insertIdentity(tx: Tx, { id, person, issuer, subject, email }: NewIdentity): Promise<number> {
  return tx.run`
    insert into identities (id, person, issuer, subject, email, created_at)
    values (${id}, ${person}, ${issuer}, ${subject}, ${email}, ${tx.now})
    on conflict do nothing`;
}

export function noteIdentityUse(tx: Tx, issuer: string, subject: string, email: string | null): Promise<number> {
  return tx.run`
    update identities set used_at = ${tx.now}, email = ${email} where issuer = ${issuer} and subject = ${subject}`;
}

export function deleteIdentity(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from identities where seq = ${seq}`;
}

export function deleteIdentitiesOf(tx: Tx, person: number): Promise<number> {
  return tx.run`delete from identities where person = ${person}`;
}
