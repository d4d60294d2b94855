// Key sets: one public and one secret key each, shown once, kept as hashes (interface.md "Authentication").
import { timingSafeEqual } from "node:crypto";
import { AppError } from "../errors.ts";
import { newId, randomBase62, sha256Hex } from "../ids.ts";
import type { Reader, Tx } from "../store/store.ts";
import { domainName } from "./domains/domain.ts";
import {
  countKeySets,
  holderOfPublic,
  holderOfSecret,
  insertKeySet,
  keySetById,
  lockWorkspace,
  revokeKeySet,
  type KeyHolderRow,
} from "./queries.ts";

export type MintedKeys = {
  readonly id: string;
  readonly public: string;
  readonly secret: string;
  readonly domains: readonly string[] | null;
};

/** Who calls: a workspace, through one of its keys. */
export type Caller = {
  readonly workspace: number;
  readonly workspaceId: string;
  readonly kind: "secret" | "public";
  /** Sender domains of a scoped key; null = every verified domain of the workspace. */
  readonly domains: readonly string[] | null;
  readonly disabled: boolean;
  /** Whether who signs up has to confirm it. */
  readonly doubleOptIn: boolean;
  /** What this key may do with a contact that exists. */
  readonly mayUpdate: boolean;
  readonly mayUnsubscribe: boolean;
};

export type KeySetWish = { readonly name?: string | null; readonly domains?: readonly string[] | null };

/**
 * Makes a key set; the answer holds the only copy of its keys. `domains` null or empty = not scoped.
 * @throws AppError VALIDATION_ERROR if one of the domains is no domain name
 */
export async function createKeySet(tx: Tx, workspace: number, wish: KeySetWish = {}): Promise<MintedKeys> {
  const names = wish.domains?.map((domain, index) => domainName(domain, `domains.${index}`));
  const domains = names?.length ? [...new Set(names)] : null;
  const keys = { id: newId(tx.nowMs), public: `pk_${randomBase62(48)}`, secret: `sk_${randomBase62(48)}`, domains };
  await insertKeySet(tx, {
    id: keys.id,
    workspace,
    name: wish.name ?? null,
    publicHash: sha256Hex(keys.public),
    secretHash: sha256Hex(keys.secret),
    domains,
  });
  return keys;
}

/** @throws AppError KEY_NOT_FOUND if there is no such set, or it was revoked before */
export async function revokeKeys(tx: Tx, id: string): Promise<void> {
  const revoked = await revokeKeySet(tx, id);
  if (revoked === 0) throw new AppError("KEY_NOT_FOUND", `There is no key set ${id} in use.`);
}

/**
 * As `revokeKeys`, for a caller of the workspace itself.
 * @throws AppError KEY_NOT_FOUND, also for another workspace's set; CONFLICT for its last one that is not scoped: nobody could
 * manage the workspace then
 */
export async function revokeOwnKeys(tx: Tx, workspace: number, id: string): Promise<void> {
  // Of two requests that each revoke one of the last two, the second must see the first.
  await lockWorkspace(tx, workspace);
  const keySet = await keySetById(tx, workspace, id);
  if (!keySet) throw new AppError("KEY_NOT_FOUND", `There is no key set ${id} in use.`);
  const { unscoped } = await countKeySets(tx, workspace);
  if (keySet.domains === null && unscoped === 1) throw lastKeys();
  await revokeKeySet(tx, id);
}

function lastKeys(): AppError {
  return new AppError("CONFLICT", "This is the workspace's last key set that is not scoped to domains.", {
    suggestion: "Make another unscoped key set first.",
  });
}

/** @throws AppError FORBIDDEN for keys that are scoped to domains: they manage nothing (interface-gaps.md §9) */
export function mustManage(caller: Caller): void {
  if (caller.domains !== null) throw new AppError("FORBIDDEN", "A key that is scoped to domains cannot do this.");
}

/** `mustManage` as the `beforeHandle` of a route. */
export function managersOnly({ caller }: { readonly caller: Caller }): void {
  mustManage(caller);
}

/** The workspace behind a key, or null if the key is unknown or revoked. */
export async function callerWith(reader: Reader, key: string): Promise<Caller | null> {
  const kind = key.startsWith("pk_") ? "public" : "secret";
  const hash = sha256Hex(key);
  const holder = await (kind === "public" ? holderOfPublic(reader, hash) : holderOfSecret(reader, hash));
  if (!holder || !timingSafeEqual(Buffer.from(holder.hash), Buffer.from(hash))) return null;
  return asCaller(holder, kind);
}

function asCaller(holder: KeyHolderRow, kind: Caller["kind"]): Caller {
  return {
    workspace: holder.workspace,
    workspaceId: holder.workspace_id,
    kind,
    domains: holder.domains === null ? null : (JSON.parse(holder.domains) as string[]),
    disabled: holder.disabled_at !== null,
    doubleOptIn: holder.double_opt_in === 1,
    mayUpdate: kind === "secret" || holder.public_update === 1,
    mayUnsubscribe: kind === "secret" || holder.public_unsubscribe === 1,
  };
}
