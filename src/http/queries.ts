// The SQL of idempotency keys.
import { isFarAhead } from "../store/clock-queries.ts";
import { loader } from "../store/loads.ts";
import { insertion, type SqlColumnType } from "../store/row-statement.ts";
import { sql, steadyList, type Sql } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";
import type { MergeDirection } from "../store/table.ts";

export type StoredAnswer = {
  readonly bodyHash: string;
  readonly status: number;
  readonly body: string;
  /** Null = a client of SMTP. */
  readonly caller: string | null;
};
export type KeyName = { readonly workspace: number; readonly route: string; readonly key: string };

const COLUMNS: Readonly<Record<string, SqlColumnType>> = {
  workspace: "bigint",
  route: "text",
  key: "text",
  body_hash: "text",
  status: "smallint",
  body: "text",
  created_at: "text",
  caller: "text",
};
const NAME = "(workspace, route, key)";
const TAKEN = insertion("idempotency_keys", COLUMNS, `on conflict ${NAME} do nothing returning workspace, route, key`);
const ANSWERED = insertion(
  "idempotency_keys",
  COLUMNS,
  `on conflict ${NAME} do update set status = excluded.status, body = excluded.body`,
);

export type NewIdempotencyKey = KeyName & { readonly bodyHash: string; readonly caller: string | null };
export type IdempotentAnswer = NewIdempotencyKey & { readonly status: number; readonly body: string };

/** Sorts alike wherever keys are taken, so that no two transactions wait for each other. */
export function nameOfKey({ workspace, route, key }: KeyName): string {
  return `${workspace} ${route} ${key}`;
}

/**
 * Takes each key for its request; answers those that were free. A key is taken while another request has it that is
 * younger than `madeAfter`, and whatever its age while the clock is far ahead: it would make each key old, and send
 * mails twice. Waits for another transaction that is taking one of the keys.
 */
export async function takeKeys(tx: Tx, keys: readonly NewIdempotencyKey[], madeAfter: string): Promise<KeyName[]> {
  for (const names of ofOnePlace(keys))
    await tx.run`
      delete from idempotency_keys where ${isOneOfKeys(tx, names)} and created_at <= ${madeAfter} and not ${isFarAhead(madeAfter)}`;
  const rows = keys.map(({ workspace, route, key, bodyHash, caller }) => [
    workspace,
    route,
    key,
    bodyHash,
    0,
    "",
    tx.now,
    caller,
  ]);
  return tx.runEach<KeyName>(TAKEN, rows);
}

/** Keeps an answer under a key that was taken in this transaction. */
export const keepAnswer = loader<IdempotentAnswer, void>({
  stage: "note",
  name: nameOfKey,
  ask: async (tx, answers) => {
    const rows = answers.map(({ workspace, route, key, bodyHash, status, body, caller }) => [
      workspace,
      route,
      key,
      bodyHash,
      status,
      body,
      tx.now,
      caller,
    ]);
    await tx.runEach(ANSWERED, rows);
    return [];
  },
});

/** The keys among these that were taken after `madeAfter`. */
export async function keysAmong(tx: Tx, keys: readonly KeyName[], madeAfter: string): Promise<KeyName[]> {
  const found: KeyName[] = [];
  for (const names of ofOnePlace(keys))
    found.push(
      ...(await tx.all<KeyName>`
        select workspace, route, key from idempotency_keys where ${isOneOfKeys(tx, names)} and (created_at > ${madeAfter} or ${isFarAhead(madeAfter)})`),
    );
  return found;
}

function ofOnePlace<Name extends KeyName>(names: readonly Name[]): Name[][] {
  return [...Map.groupBy(names, ({ workspace, route }) => `${workspace} ${route}`).values()];
}

/** `names`: keys of one workspace and route. */
function isOneOfKeys(tx: Tx, names: readonly KeyName[]): Sql {
  const [{ workspace, route }] = names as [KeyName];
  const isNamed = tx.dialect.isOneOf(
    sql`key`,
    names.map(({ key }) => key),
  );
  return sql`workspace = ${workspace} and route = ${route} and ${isNamed}`;
}

/** Frees the key of a refused request. */
export function freeKey(tx: Tx, { workspace, route, key }: KeyName): Promise<number> {
  return tx.run`delete from idempotency_keys where workspace = ${workspace} and route = ${route} and key = ${key}`;
}

export function answerUnder(tx: Tx, { workspace, route, key }: KeyName): Promise<StoredAnswer | null> {
  return tx.get<StoredAnswer>`
    select body_hash as "bodyHash", status, body, caller from idempotency_keys
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

/** Notes the contacts, by id, that an answer names which has just been kept. */
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

/** Keeps only the key of an answer, as `kept`: it stays taken, without content. */
export async function emptyAnswer(tx: Tx, { workspace, route, key }: KeyName, kept: string): Promise<void> {
  await tx.run`delete from answers_about where workspace = ${workspace} and route = ${route} and key = ${key}`;
  await tx.run`
    update idempotency_keys set key = ${kept}, body_hash = '', status = 0, body = ''
    where workspace = ${workspace} and route = ${route} and key = ${key}`;
}

/** Stored answers that name the contact name the other as well: they are deleted with either of them. */
export function copyAnswersAbout(tx: Tx, { from, to }: MergeDirection): Promise<number> {
  return tx.run`
    insert into answers_about (contact, workspace, route, key)
    select cast(${to} as bigint), workspace, route, key from answers_about where contact = ${from}
    on conflict do nothing`;
}
