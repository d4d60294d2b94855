// The SQL of key sets.
import { flag, jsonOrNull } from "../../store/columns.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { KeyPermissions } from "./key-limits.ts";

/** The sender domains among `names` that the workspace has, verified or not. */
export async function domainsAmong(reader: Reader, workspace: number, names: readonly string[]): Promise<string[]> {
  const rows = await reader.all<{ domain: string }>`
    select domain from domains where workspace = ${workspace} and domain in (${sqlList(names)}) and removed_at is null`;
  return rows.map(({ domain }) => domain);
}

export type KeySet = {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly name: string | null;
  /** Null = not scoped. */
  readonly domains: readonly string[] | null;
  readonly permissions: KeyPermissions;
  /** Addresses and networks that it may be used from; null = any. */
  readonly allowedIps: readonly string[] | null;
  readonly expiresAt: string | null;
  /** Until when the secret before the last rotation is taken; null = it was never rotated. */
  readonly formerSecretUntil: string | null;
  readonly createdAt: string;
  /** When its name or its limits were changed. */
  readonly updatedAt: string;
  /** To the minute, and up to a minute late. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
};

/** The columns that are lists. */
type ListTexts = { readonly domains: string | null; readonly allowedIps: string | null };
type KeySetRow = Omit<KeySet, keyof ListTexts> & ListTexts;

/** The permission of a key for email as code has a column of its own. */
const PERMISSIONS = sql`case when k.is_content = 1 then 'content' else k.permissions end`;

const KEY_SETS = sql`
  select k.id, w.id as "workspaceId", w.name as "workspaceName", k.name, k.domains, ${PERMISSIONS} as permissions, k.allowed_ips as "allowedIps",
    k.expires_at as "expiresAt", k.former_secret_until as "formerSecretUntil", k.created_at as "createdAt", k.updated_at as "updatedAt",
    k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"
  from key_sets k join workspaces w on w.seq = k.workspace`;

function withLists<Row extends ListTexts>(row: Row): Omit<Row, keyof ListTexts> & Pick<KeySet, keyof ListTexts> {
  return { ...row, domains: jsonOrNull(row.domains), allowedIps: jsonOrNull(row.allowedIps) };
}

type NewKeySet = Pick<KeySet, "id" | "name" | "domains" | "permissions" | "allowedIps" | "expiresAt"> & {
  readonly workspace: number;
  readonly publicHash: string;
  readonly secretHash: string;
};

export function insertKeySet(tx: Tx, keySet: NewKeySet): Promise<number> {
  const { id, workspace, name, publicHash, secretHash, permissions, expiresAt } = keySet;
  return tx.run`
    insert into key_sets (id, workspace, name, public_hash, secret_hash, domains, permissions, is_content, allowed_ips, expires_at, created_at, updated_at)
    values (${id}, ${workspace}, ${name}, ${publicHash}, ${secretHash}, ${listJson(keySet.domains)},
      ${permissions === "content" ? "read" : permissions}, ${permissions === "content" ? 1 : 0},
      ${listJson(keySet.allowedIps)}, ${expiresAt}, ${tx.now}, ${tx.now})`;
}

function listJson(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

/** `until`: how long the previous secret is accepted as well. That of an earlier rotation is refused from now on. */
export function replaceSecret(tx: Tx, id: string, secretHash: string, until: string): Promise<number> {
  return tx.run`
    update key_sets set former_secret_hash = secret_hash, former_secret_until = ${until}, secret_hash = ${secretHash}
    where id = ${id} and revoked_at is null`;
}

export function updateKeySet(
  tx: Tx,
  id: string,
  { name, allowedIps, expiresAt, updatedAt }: Pick<KeySet, "name" | "allowedIps" | "expiresAt" | "updatedAt">,
): Promise<number> {
  return tx.run`
    update key_sets set name = ${name}, allowed_ips = ${listJson(allowedIps)}, expires_at = ${expiresAt}, updated_at = ${updatedAt}
    where id = ${id} and revoked_at is null`;
}

/** Revoked ones too; `workspace` null = of all workspaces. */
export async function keySets(reader: Reader, workspace: number | null): Promise<KeySet[]> {
  const rows = await reader.all<KeySetRow>`
    ${KEY_SETS} where k.workspace = coalesce(${workspace}, k.workspace) order by k.seq`;
  return rows.map(withLists);
}

export function revokeKeySet(tx: Tx, id: string): Promise<number> {
  return tx.run`update key_sets set revoked_at = ${tx.now} where id = ${id} and revoked_at is null`;
}

/** `keySets` must not be empty. Another process may know of a later use. */
export function noteKeyUse(tx: Tx, keySets: readonly string[], at: string): Promise<number> {
  return tx.run`
    update key_sets set last_used_at = ${at}
    where id in (${sqlList(keySets)}) and (last_used_at is null or last_used_at < ${at})`;
}

/** Active ones, oldest first. */
export async function keySetsPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<KeySet[]> {
  const rows = await reader.all<KeySetRow>`
    ${KEY_SETS} where k.workspace = ${workspace} and k.revoked_at is null order by k.seq limit ${limit} offset ${offset}`;
  return rows.map(withLists);
}

/** The newest first. */
export async function revokedPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<KeySet[]> {
  const rows = await reader.all<KeySetRow>`
    ${KEY_SETS} where k.workspace = ${workspace} and k.revoked_at is not null
    order by k.seq desc limit ${limit} offset ${offset}`;
  return rows.map(withLists);
}

export async function countRevoked(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ total: number }>`
    select count(*) as total from key_sets where workspace = ${workspace} and revoked_at is not null`;
  return row?.total ?? 0;
}

/** Whether the workspace has or had the key set, which may be revoked. */
export async function isKeySetOf(reader: Reader, workspace: number, id: string): Promise<boolean> {
  return (await reader.get`select 1 as one from key_sets where workspace = ${workspace} and id = ${id}`) !== null;
}

/** The number of the workspace that has the set, also a revoked one; null = there is no such set. */
export async function workspaceOfKeySet(reader: Reader, id: string): Promise<number | null> {
  const row = await reader.get<{ workspace: number }>`select workspace from key_sets where id = ${id}`;
  return row?.workspace ?? null;
}

/** Two requests may each revoke one of the last two sets: the second must see the first. */
export async function lockKeySets(tx: Tx, workspace: number): Promise<void> {
  await tx.get`select seq from workspaces where seq = ${workspace}${tx.dialect.forChange}`;
}

/** `managing`: sets with full permissions and without an end. */
type KeySetCount = { readonly total: number; readonly managing: number };

export async function countKeySets(reader: Reader, workspace: number): Promise<KeySetCount> {
  const row = await reader.get<KeySetCount>`
    select count(*) as total,
      count(case when domains is null and permissions = 'full' and expires_at is null then 1 end) as managing
    from key_sets where workspace = ${workspace} and revoked_at is null`;
  return row ?? { total: 0, managing: 0 };
}

export async function keySetById(reader: Reader, workspace: number, id: string): Promise<KeySet | null> {
  const row = await reader.get<KeySetRow>`
    ${KEY_SETS} where k.workspace = ${workspace} and k.id = ${id} and k.revoked_at is null`;
  return row && withLists(row);
}

export type KeyKind = "secret" | "public";

/** The owner of a send's data: the mail alone, or the contact too. */
export type SendData = "mail" | "stored";

/** A workspace's rules for its keys. */
export type KeyRules = {
  readonly doubleOptIn: boolean;
  /** Whether a public key may change existing contacts. */
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

/** The workspace of a key, with its rules for the key. */
export type KeyHolder = KeyRules &
  Pick<KeySet, "domains" | "workspaceId" | "permissions" | "allowedIps" | "expiresAt" | "formerSecretUntil"> & {
    readonly disabledAt: string | null;
    readonly sendData: SendData;
    readonly postalAddress: string | null;
    /** Keys, with blanks between; null = there are none. */
    readonly topics: string | null;
    readonly workspace: number;
    /** Whether the key is the previous secret, from before the last rotation. */
    readonly former: boolean;
    readonly keySet: string;
    readonly keySetName: string | null;
  };

type KeyHolderRow = Omit<KeyHolder, keyof ListTexts | keyof KeyRules | "former"> &
  ListTexts &
  KeyRuleColumns & { readonly former: 0 | 1 };

/** The keys of the topics of workspace `w`: read with every caller, so that no answer about a contact looks them up. */
export const TOPICS_OF_W = sql`(
  select string_agg(t.key, ' ' order by t.position, t.seq) from topics t where t.workspace = w.seq) as topics`;

export async function keyHolder(reader: Reader, kind: KeyKind, hash: string): Promise<KeyHolder | null> {
  const isKey =
    kind === "secret" ? sql`(k.secret_hash = ${hash} or k.former_secret_hash = ${hash})` : sql`k.public_hash = ${hash}`;
  const row = await reader.get<KeyHolderRow>`
    select case when k.former_secret_hash = ${hash} then 1 else 0 end as former, k.id as "keySet", k.name as "keySetName", k.domains,
      ${PERMISSIONS} as permissions, k.allowed_ips as "allowedIps", k.expires_at as "expiresAt", k.former_secret_until as "formerSecretUntil",
      w.seq as workspace, w.id as "workspaceId", ${KEY_RULES}, w.disabled_at as "disabledAt", w.send_data as "sendData",
      w.postal_address as "postalAddress", ${TOPICS_OF_W}
    from key_sets k join workspaces w on w.seq = k.workspace where ${isKey} and k.revoked_at is null`;
  return row && { ...withKeyRules(withLists(row)), former: flag(row.former) };
}
