// Key sets: one public and one secret key each, shown once, kept as hashes
import { timingSafeEqual } from "node:crypto";
import { BoundedMap } from "../brakes/bounded-map.ts";
import { SharedAnswers } from "../brakes/shared-answers.ts";
import { AppError } from "../errors.ts";
import { newId, randomBase62, sha256Hex } from "../ids.ts";
import type { Reader, Store, Tx } from "../store/store.ts";
import { domainName } from "../http/address-field.ts";
import type { Caller } from "./caller.ts";
import type { KeyUse } from "./key-use.ts";
import {
  countKeySets,
  insertKeySet,
  keyHolder,
  keySetById,
  lockKeySets,
  revokeKeySet,
  type KeyHolder,
  type KeyKind,
} from "./key-queries.ts";

export type MintedKeys = {
  readonly id: string;
  readonly public: string;
  readonly secret: string;
  readonly domains: readonly string[] | null;
};

export type KeySetInput = { readonly name?: string | null; readonly domains?: readonly string[] | null };

/**
 * Makes a key set; the answer holds the only copy of its keys. `domains` null or empty = not scoped.
 * @throws AppError VALIDATION_ERROR if one of the domains is no domain name
 */
export async function createKeySet(tx: Tx, workspace: number, input: KeySetInput = {}): Promise<MintedKeys> {
  const names = input.domains?.map((domain, index) => domainName(domain, `domains.${index}`));
  const domains = names?.length ? [...new Set(names)] : null;
  const keys = { id: newId(tx.nowMs), public: `pk_${randomBase62(48)}`, secret: `sk_${randomBase62(48)}`, domains };
  await insertKeySet(tx, {
    id: keys.id,
    workspace,
    name: input.name ?? null,
    publicHash: sha256Hex(keys.public),
    secretHash: sha256Hex(keys.secret),
    domains,
  });
  return keys;
}

/** @throws AppError KEY_NOT_FOUND if there is no such set, or it was revoked before */
export async function revokeKeys(tx: Tx, id: string): Promise<void> {
  const revoked = await revokeKeySet(tx, id);
  if (revoked === 0) throw new AppError("KEY_NOT_FOUND", `There is no active key set ${id}.`);
}

/**
 * As `revokeKeys`, for a caller of the workspace itself.
 * @throws AppError KEY_NOT_FOUND, also for another workspace's set; CONFLICT for its last unscoped set, without which
 * nobody could manage the workspace
 */
export async function revokeOwnKeys(tx: Tx, workspace: number, id: string): Promise<void> {
  await lockKeySets(tx, workspace);
  const keySet = await keySetById(tx, workspace, id);
  if (!keySet) throw new AppError("KEY_NOT_FOUND", `There is no active key set ${id}.`);
  const { unscoped } = await countKeySets(tx, workspace);
  if (keySet.domains === null && unscoped === 1) throw lastKeys();
  await revokeKeySet(tx, id);
}

function lastKeys(): AppError {
  return new AppError("CONFLICT", "This is the workspace's last unscoped key set.", {
    reason: "last_keys",
    suggestion: "Create another unscoped key set first.",
  });
}

/** The workspace behind a key, or null if the key is unknown or revoked. */
export async function callerWith(reader: Reader, key: string): Promise<Caller | null> {
  const kind = key.startsWith("pk_") ? "public" : "secret";
  const hash = sha256Hex(key);
  const holder = await keyHolder(reader, kind, hash);
  if (!holder || !timingSafeEqual(Buffer.from(holder.hash), Buffer.from(hash))) return null;
  return callerOf(holder, kind);
}

function callerOf(holder: KeyHolder, kind: KeyKind): Caller {
  const { workspace, workspaceId, domains, doubleOptIn, keySet, keySetName } = holder;
  return {
    by: { kind: "KEY", id: keySet, name: keySetName },
    person: null,
    note: null,
    workspace,
    workspaceId,
    kind,
    domains,
    disabled: holder.disabledAt !== null,
    doubleOptIn,
    storesSendData: holder.sendData === "stored",
    hasPostalAddress: holder.postalAddress !== null,
    mayUpdate: kind === "secret" || holder.publicUpdate,
    mayUnsubscribe: kind === "secret" || holder.publicUnsubscribe,
    publicEvents: kind === "secret" ? null : holder.publicEvents,
  };
}

const MOST_KEYS = 10_000;

/**
 * Callers by key: the same few keys come with every request. Kept until something is committed; where that cannot be
 * told (PostgreSQL), those who come at once share a look.
 */
export class Callers {
  #byHash = new BoundedMap<string, Caller>(MOST_KEYS);
  #version: number | null = null;
  readonly #asked = new SharedAnswers<Caller | null>();

  constructor(
    private readonly store: Store,
    private readonly use: Pick<KeyUse, "note">,
  ) {}

  /**
   * The caller as committed now, by this process or another, whose key counts as used; null if it is unknown or
   * revoked.
   */
  async with(key: string): Promise<Caller | null> {
    const caller = await this.#find(key);
    if (caller?.by.id) this.use.note(caller.by.id);
    return caller;
  }

  async #find(key: string): Promise<Caller | null> {
    const hash = sha256Hex(key);
    const version = this.store.version();
    if (version !== this.#version) this.#forget(version);
    const known = this.#byHash.get(hash);
    if (known) return known;
    const caller = await this.#asked.get(hash, () => this.store.read((reader) => callerWith(reader, key)));
    if (caller && version !== null && version === this.store.version()) this.#byHash.set(hash, caller);
    return caller;
  }

  #forget(version: number | null): void {
    this.#byHash = new BoundedMap(MOST_KEYS);
    this.#version = version;
  }
}
