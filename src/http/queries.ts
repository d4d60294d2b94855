// The SQL of idempotency keys.
import type { Tx } from "../store/store.ts";

export type StoredAnswer = { readonly body_hash: string; readonly status: number; readonly body: string };
export type KeyName = { readonly workspace: number; readonly route: string; readonly key: string };

export function answerUnder(tx: Tx, { workspace, route, key }: KeyName, madeAfter: string): Promise<StoredAnswer | null> {
  return tx.get<StoredAnswer>`
    select body_hash, status, body from idempotency_keys
    where workspace = ${workspace} and route = ${route} and key = ${key} and created_at > ${madeAfter}`;
}

export function keepAnswer(tx: Tx, { workspace, route, key }: KeyName, answer: StoredAnswer): Promise<number> {
  return tx.run`
    insert into idempotency_keys (workspace, route, key, body_hash, status, body, created_at)
    values (${workspace}, ${route}, ${key}, ${answer.body_hash}, ${answer.status}, ${answer.body}, ${tx.now})
    on conflict (workspace, route, key) do update
    set body_hash = excluded.body_hash, status = excluded.status, body = excluded.body, created_at = excluded.created_at`;
}

export function forgetAnswersBefore(tx: Tx, madeBefore: string, most: number): Promise<number> {
  return tx.run`
    delete from idempotency_keys where (workspace, route, key) in (
      select workspace, route, key from idempotency_keys where created_at <= ${madeBefore} limit ${most})`;
}
