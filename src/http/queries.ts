// The SQL of idempotency keys.
import type { Tx } from "../store/store.ts";

export type StoredAnswer = { readonly body_hash: string; readonly status: number; readonly body: string };
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
    select body_hash, status, body from idempotency_keys
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
