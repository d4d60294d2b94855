// The SQL of idempotency keys.
import { steadyList } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";

export type StoredAnswer = { readonly bodyHash: string; readonly status: number; readonly body: string };
export type KeyName = { readonly workspace: number; readonly route: string; readonly key: string };

/**
 * Takes the key for this request: answers 1, or 0 if another request has it and is younger than `madeAfter`. Waits for
 * another transaction that is just taking it.
 */
export function takeKey(
  tx: Tx,
  { workspace, route, key }: KeyName,
  bodyHash: string,
  madeAfter: string,
): Promise<number> {
  return tx.run`
    insert into idempotency_keys (workspace, route, key, body_hash, status, body, created_at)
    values (${workspace}, ${route}, ${key}, ${bodyHash}, 0, '', ${tx.now})
    on conflict (workspace, route, key) do update
    set body_hash = excluded.body_hash, created_at = excluded.created_at
    where idempotency_keys.created_at <= ${madeAfter}`;
}

export function answerUnder(tx: Tx, { workspace, route, key }: KeyName): Promise<StoredAnswer | null> {
  return tx.get<StoredAnswer>`
    select body_hash as "bodyHash", status, body from idempotency_keys
    where workspace = ${workspace} and route = ${route} and key = ${key}`;
}

export function keepAnswer(tx: Tx, { workspace, route, key }: KeyName, status: number, body: string): Promise<number> {
  return tx.run`
    update idempotency_keys set status = ${status}, body = ${body}
    where workspace = ${workspace} and route = ${route} and key = ${key}`;
}

export function forgetAnswersBefore(tx: Tx, madeBefore: string, most: number): Promise<number> {
  return tx.run`
    delete from idempotency_keys where (workspace, route, key) in (
      select workspace, route, key from idempotency_keys where created_at <= ${madeBefore} limit ${most})`;
}

/** A part of a workspace's answers; answers how many. */
export function deleteAnswersOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from idempotency_keys where (workspace, route, key) in (
      select workspace, route, key from idempotency_keys where workspace = ${workspace} limit ${most})`;
}

/** Of an answer that has just been kept: `contacts`, by id, are whom it names. */
export async function keepAbout(
  tx: Tx,
  { workspace, route, key }: KeyName,
  contacts: readonly string[],
): Promise<void> {
  await tx.run`delete from answers_about where workspace = ${workspace} and route = ${route} and key = ${key}`;
  await tx.run`
    insert into answers_about (contact, workspace, route, key)
    select seq, workspace, ${route}, ${key} from contacts where workspace = ${workspace} and id in (${steadyList(contacts)})`;
}

/** Some of the answers that name a contact. */
export function answersAbout(tx: Tx, contact: number, most: number): Promise<KeyName[]> {
  return tx.all<KeyName>`select workspace, route, key from answers_about where contact = ${contact} limit ${most}`;
}

/** Of an answer only its key stays, as `kept`: it is taken, and says nothing. */
export async function emptyAnswer(tx: Tx, { workspace, route, key }: KeyName, kept: string): Promise<void> {
  await tx.run`delete from answers_about where workspace = ${workspace} and route = ${route} and key = ${key}`;
  await tx.run`
    update idempotency_keys set key = ${kept}, body_hash = '', status = 0, body = ''
    where workspace = ${workspace} and route = ${route} and key = ${key}`;
}

export async function isTaken(tx: Tx, { workspace, route, key }: KeyName, madeAfter: string): Promise<boolean> {
  const row = await tx.get`
    select 1 from idempotency_keys
    where workspace = ${workspace} and route = ${route} and key = ${key} and created_at > ${madeAfter}`;
  return row !== null;
}
