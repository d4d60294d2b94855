// The SQL of key sets.
import { flag, jsonOrNull } from "../store/columns.ts";
import { list, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

export type KeySet = {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly name: string | null;
  /** Null = not scoped. */
  readonly domains: readonly string[] | null;
  readonly createdAt: string;
  /** To the minute, and up to a minute late. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
};

type DomainsText = { readonly domains: string | null };

const KEY_SETS = sql`
  select k.id, w.id as "workspaceId", w.name as "workspaceName", k.name, k.domains, k.created_at as "createdAt",
    k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"
  from key_sets k join workspaces w on w.seq = k.workspace`;

function withDomains<Row extends DomainsText>(row: Row): Omit<Row, "domains"> & Pick<KeySet, "domains"> {
  return { ...row, domains: jsonOrNull(row.domains) };
}

type NewKeySet = {
  readonly id: string;
  readonly workspace: number;
  readonly name: string | null;
  readonly publicHash: string;
  readonly secretHash: string;
  readonly domains: readonly string[] | null;
};

export function insertKeySet(tx: Tx, keySet: NewKeySet): Promise<number> {
  const domains = keySet.domains === null ? null : JSON.stringify(keySet.domains);
  return tx.run`
    insert into key_sets (id, workspace, name, public_hash, secret_hash, domains, created_at)
    values (${keySet.id}, ${keySet.workspace}, ${keySet.name}, ${keySet.publicHash}, ${keySet.secretHash}, ${domains}, ${tx.now})`;
}

/** Revoked ones too; `workspace` null = of all workspaces. */
export async function keySets(reader: Reader, workspace: number | null): Promise<KeySet[]> {
  const rows = await reader.all<Omit<KeySet, "domains"> & DomainsText>`
    ${KEY_SETS} where k.workspace = coalesce(${workspace}, k.workspace) order by k.seq`;
  return rows.map(withDomains);
}

export function revokeKeySet(tx: Tx, id: string): Promise<number> {
  return tx.run`update key_sets set revoked_at = ${tx.now} where id = ${id} and revoked_at is null`;
}

/** `keySets` must not be empty. Another process may know of a later use. */
export function noteKeyUse(tx: Tx, keySets: readonly string[], at: string): Promise<number> {
  return tx.run`
    update key_sets set last_used_at = ${at}
    where id in (${list(keySets)}) and (last_used_at is null or last_used_at < ${at})`;
}

/** Active ones, oldest first. */
export async function keySetsPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<KeySet[]> {
  const rows = await reader.all<Omit<KeySet, "domains"> & DomainsText>`
    ${KEY_SETS} where k.workspace = ${workspace} and k.revoked_at is null order by k.seq limit ${limit} offset ${offset}`;
  return rows.map(withDomains);
}

/** Of two requests that each revoke one of the last two sets, the second must see the first. */
export async function lockKeySets(tx: Tx, workspace: number): Promise<void> {
  await tx.get`select seq from workspaces where seq = ${workspace}${tx.dialect.forChange}`;
}

type KeySetCount = { readonly total: number; readonly unscoped: number };

export async function countKeySets(reader: Reader, workspace: number): Promise<KeySetCount> {
  const row = await reader.get<KeySetCount>`
    select count(*) as total, count(case when domains is null then 1 end) as unscoped
    from key_sets where workspace = ${workspace} and revoked_at is null`;
  return row ?? { total: 0, unscoped: 0 };
}

export async function keySetById(reader: Reader, workspace: number, id: string): Promise<KeySet | null> {
  const row = await reader.get<Omit<KeySet, "domains"> & DomainsText>`
    ${KEY_SETS} where k.workspace = ${workspace} and k.id = ${id} and k.revoked_at is null`;
  return row && withDomains(row);
}

export type KeyKind = "secret" | "public";

/** Whose the data of a send is: the mail's alone, or the contact's too. */
export type SendData = "mail" | "stored";

/** What a workspace lets its keys do. */
export type KeyRules = {
  readonly doubleOptIn: boolean;
  /** What a public key may do with a contact that exists. */
  readonly publicUpdate: boolean;
  readonly publicUnsubscribe: boolean;
  /** The events that it may record; null = any. */
  readonly publicEvents: readonly string[] | null;
};

export type KeyRuleColumns = {
  readonly doubleOptIn: 0 | 1;
  readonly publicUpdate: 0 | 1;
  readonly publicUnsubscribe: 0 | 1;
  readonly publicEvents: string | null;
};

export const KEY_RULES = sql`double_opt_in as "doubleOptIn", public_update as "publicUpdate", public_unsubscribe as "publicUnsubscribe",
  public_events as "publicEvents"`;

export function withKeyRules<Row extends KeyRuleColumns>(row: Row): Omit<Row, keyof KeyRules> & KeyRules {
  return {
    ...row,
    doubleOptIn: flag(row.doubleOptIn),
    publicUpdate: flag(row.publicUpdate),
    publicUnsubscribe: flag(row.publicUnsubscribe),
    publicEvents: jsonOrNull(row.publicEvents),
  };
}

/** Whose key it is, and what the workspace lets it do. */
export type KeyHolder = KeyRules &
  Pick<KeySet, "domains" | "workspaceId"> & {
    readonly disabledAt: string | null;
    readonly sendData: SendData;
    readonly postalAddress: string | null;
    readonly workspace: number;
    readonly hash: string;
    readonly keySet: string;
    readonly keySetName: string | null;
  };

export async function keyHolder(reader: Reader, kind: KeyKind, hash: string): Promise<KeyHolder | null> {
  const column = kind === "secret" ? sql`k.secret_hash` : sql`k.public_hash`;
  const row = await reader.get<Omit<KeyHolder, "domains" | keyof KeyRules> & DomainsText & KeyRuleColumns>`
    select ${column} as hash, k.id as "keySet", k.name as "keySetName", k.domains, w.seq as workspace, w.id as "workspaceId", ${KEY_RULES}, w.disabled_at as "disabledAt", w.send_data as "sendData", w.postal_address as "postalAddress"
    from key_sets k join workspaces w on w.seq = k.workspace where ${column} = ${hash} and k.revoked_at is null`;
  return row && withKeyRules(withDomains(row));
}
