// The SQL of workspaces and key sets; that of sender domains is in domains/queries.ts.
import type { Language } from "../languages/language.ts";
import { list, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

export type Tracking = "ENABLED" | "DISABLED" | "MARKETING_ONLY";

/** What a workspace sets for itself. */
type WorkspaceSettings = {
  readonly name: string;
  readonly tracking: Tracking;
  readonly language: Language;
  readonly postal_address: string | null;
  readonly double_opt_in: 0 | 1;
  readonly public_update: 0 | 1;
  readonly public_unsubscribe: 0 | 1;
  readonly from_address: string | null;
  readonly from_name: string | null;
};

export type WorkspaceRow = WorkspaceSettings & {
  readonly seq: number;
  readonly id: string;
  /** Encrypted with the installation's key. */
  readonly webhook_secret: string | null;
  readonly disabled_at: string | null;
  /** Why no marketing mail leaves it. */
  readonly marketing_stopped: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

const WORKSPACE = sql`
  seq, id, name, tracking, language, postal_address, double_opt_in, public_update, public_unsubscribe, from_address, from_name, webhook_secret, disabled_at, marketing_stopped, created_at, updated_at`;

type NewWorkspace = { readonly id: string; readonly name: string; readonly encryptedWebhookSecret: string };

/** Answers null if the name is taken. */
export function insertWorkspace(tx: Tx, workspace: NewWorkspace): Promise<WorkspaceRow | null> {
  return tx.get<WorkspaceRow>`
    insert into workspaces (id, name, webhook_secret, created_at, updated_at)
    values (${workspace.id}, ${workspace.name}, ${workspace.encryptedWebhookSecret}, ${tx.now}, ${tx.now})
    on conflict (name) do nothing returning ${WORKSPACE}`;
}

export function workspaceNamed(reader: Reader, idOrName: string): Promise<WorkspaceRow | null> {
  return reader.get<WorkspaceRow>`
    select ${WORKSPACE} from workspaces
    where id = ${idOrName} or name = ${idOrName} order by case when id = ${idOrName} then 0 else 1 end limit 1`;
}

export function workspaceBySeq(reader: Reader, seq: number): Promise<WorkspaceRow | null> {
  return reader.get<WorkspaceRow>`select ${WORKSPACE} from workspaces where seq = ${seq}`;
}

/** As it is now; no other transaction changes it before this one is over. */
export function lockWorkspace(tx: Tx, seq: number): Promise<WorkspaceRow | null> {
  return tx.get<WorkspaceRow>`select ${WORKSPACE} from workspaces where seq = ${seq}${tx.dialect.forChange}`;
}

export function allWorkspaces(reader: Reader): Promise<WorkspaceRow[]> {
  return reader.all<WorkspaceRow>`select ${WORKSPACE} from workspaces order by seq`;
}

/** @throws ConstraintError `unique` if the name was taken at the same moment */
export function updateWorkspace(tx: Tx, seq: number, settings: WorkspaceSettings): Promise<number> {
  return tx.run`
    update workspaces set name = ${settings.name}, tracking = ${settings.tracking}, language = ${settings.language},
      postal_address = ${settings.postal_address}, double_opt_in = ${settings.double_opt_in},
      public_update = ${settings.public_update}, public_unsubscribe = ${settings.public_unsubscribe},
      from_address = ${settings.from_address}, from_name = ${settings.from_name}, updated_at = ${tx.now}
    where seq = ${seq}`;
}

export function workspacesWithoutSecret(reader: Reader): Promise<{ seq: number }[]> {
  return reader.all`select seq from workspaces where webhook_secret is null`;
}

export function setWebhookSecret(tx: Tx, seq: number, encrypted: string): Promise<number> {
  return tx.run`update workspaces set webhook_secret = ${encrypted}, updated_at = ${tx.now} where seq = ${seq}`;
}

export function setWorkspaceDisabled(tx: Tx, seq: number, disabledAt: string | null): Promise<number> {
  return tx.run`update workspaces set disabled_at = ${disabledAt}, updated_at = ${tx.now} where seq = ${seq}`;
}

/** `workspaces` must not be empty. */
export async function disabledAmong(reader: Reader, workspaces: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await reader.all<{ seq: number }>`
    select seq from workspaces where seq in (${list(workspaces)}) and disabled_at is not null`;
  return new Set(rows.map(({ seq }) => seq));
}

/** Guarded: answers 0 if it stood so already. */
export function setMarketingStopped(tx: Tx, workspace: number, reason: string | null): Promise<number> {
  return tx.run`
    update workspaces set marketing_stopped = ${reason} where seq = ${workspace} and coalesce(marketing_stopped, '') <> ${reason ?? ""}`;
}

/** With all that is its own. */
export function deleteWorkspaceRow(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from workspaces where seq = ${seq}`;
}

export type KeySetRow = {
  readonly id: string;
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly name: string | null;
  readonly domains: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
};

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

export function keySets(reader: Reader, workspace: number | null): Promise<KeySetRow[]> {
  return reader.all<KeySetRow>`
    select k.id, w.id as workspace_id, w.name as workspace_name, k.name, k.domains, k.created_at, k.revoked_at
    from key_sets k join workspaces w on w.seq = k.workspace
    where k.workspace = coalesce(${workspace}, k.workspace) order by k.seq`;
}

export function revokeKeySet(tx: Tx, id: string): Promise<number> {
  return tx.run`update key_sets set revoked_at = ${tx.now} where id = ${id} and revoked_at is null`;
}

/** In the order in which they were made; revoked ones are left out. */
export function keySetsPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<KeySetRow[]> {
  return reader.all<KeySetRow>`
    select k.id, w.id as workspace_id, w.name as workspace_name, k.name, k.domains, k.created_at, k.revoked_at
    from key_sets k join workspaces w on w.seq = k.workspace
    where k.workspace = ${workspace} and k.revoked_at is null order by k.seq limit ${limit} offset ${offset}`;
}

type KeySetCount = { readonly total: number; readonly unscoped: number };

export async function countKeySets(reader: Reader, workspace: number): Promise<KeySetCount> {
  const row = await reader.get<KeySetCount>`
    select count(*) as total, count(case when domains is null then 1 end) as unscoped
    from key_sets where workspace = ${workspace} and revoked_at is null`;
  return row ?? { total: 0, unscoped: 0 };
}

export function keySetById(reader: Reader, workspace: number, id: string): Promise<KeySetRow | null> {
  return reader.get<KeySetRow>`
    select k.id, w.id as workspace_id, w.name as workspace_name, k.name, k.domains, k.created_at, k.revoked_at
    from key_sets k join workspaces w on w.seq = k.workspace
    where k.workspace = ${workspace} and k.id = ${id} and k.revoked_at is null`;
}

export type KeyHolderRow = {
  readonly hash: string;
  readonly domains: string | null;
  readonly workspace: number;
  readonly workspace_id: string;
  readonly double_opt_in: 0 | 1;
  readonly public_update: 0 | 1;
  readonly public_unsubscribe: 0 | 1;
  readonly disabled_at: string | null;
};

export function holderOfSecret(reader: Reader, hash: string): Promise<KeyHolderRow | null> {
  return reader.get<KeyHolderRow>`
    select k.secret_hash as hash, k.domains, w.seq as workspace, w.id as workspace_id, w.double_opt_in, w.public_update, w.public_unsubscribe, w.disabled_at
    from key_sets k join workspaces w on w.seq = k.workspace where k.secret_hash = ${hash} and k.revoked_at is null`;
}

export function holderOfPublic(reader: Reader, hash: string): Promise<KeyHolderRow | null> {
  return reader.get<KeyHolderRow>`
    select k.public_hash as hash, k.domains, w.seq as workspace, w.id as workspace_id, w.double_opt_in, w.public_update, w.public_unsubscribe, w.disabled_at
    from key_sets k join workspaces w on w.seq = k.workspace where k.public_hash = ${hash} and k.revoked_at is null`;
}
