// Key sets: one public and one secret key each, shown once, kept as hashes
import { BoundedMap } from "../../base/brakes/bounded-map.ts";
import { SharedAnswers } from "../../base/brakes/shared-answers.ts";
import { HOUR_MS, iso } from "../../base/clock.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { newId, randomBase62, sha256Hex } from "../../base/ids.ts";
import { isRange, isWithin, rangesOf } from "../../base/ip-addresses.ts";
import type { Reader, Store, Tx } from "../../store/store.ts";
import { domainName } from "../../http/body/address-field.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import { refuseSavedSince, timeOfSaving, type SaveTerms } from "./saving.ts";
import type { Caller } from "./caller.ts";
import type { KeyLimits, KeyPermissions } from "./key-limits.ts";
import type { KeyUseLog } from "./key-use.ts";
import {
  countKeySets,
  insertKeySet,
  isKeySetOf,
  keyHolder,
  keySetById,
  lockKeySets,
  replaceSecret,
  revokeKeySet,
  updateKeySet,
  type KeyHolder,
  type KeyKind,
  type KeySet,
} from "./key-queries.ts";

export type MintedKeys = {
  readonly id: string;
  readonly public: string;
  readonly secret: string;
  readonly domains: readonly string[] | null;
  readonly permissions: KeyPermissions;
  readonly allowedIps: readonly string[] | null;
  readonly expiresAt: string | null;
};

/** `expiresAt`: a date-time with its zone. */
export type KeySetChange = {
  readonly name?: string | null;
  readonly allowedIps?: readonly string[] | null;
  readonly expiresAt?: string | null;
};

export type KeySetInput = KeySetChange & {
  readonly domains?: readonly string[] | null;
  readonly permissions?: KeyPermissions | null;
};

/**
 * Makes a key set; the answer holds the only copy of its keys. `domains` null or empty = not scoped.
 * @throws AppError VALIDATION_ERROR if one of the domains or addresses is invalid, or the end is past
 */
export async function createKeySet(tx: Tx, workspace: number, input: KeySetInput = {}): Promise<MintedKeys> {
  const names = input.domains?.map((domain, index) => domainName(domain, `domains.${index}`));
  const domains = names?.length ? [...new Set(names)] : null;
  const limits = {
    domains,
    permissions: input.permissions ?? "full",
    allowedIps: rangesIn(input.allowedIps),
    expiresAt: endIn(tx, input.expiresAt),
  };
  const keys = { id: newId(tx.nowMs), public: `pk_${randomBase62(48)}`, secret: newSecret(), ...limits };
  const hashes = { publicHash: sha256Hex(keys.public), secretHash: sha256Hex(keys.secret) };
  await insertKeySet(tx, { id: keys.id, workspace, name: input.name ?? null, ...hashes, ...limits });
  return keys;
}

function newSecret(): string {
  return `sk_${randomBase62(48)}`;
}

/** An empty list means no list. */
function rangesIn(allowedIps: readonly string[] | null | undefined): readonly string[] | null {
  const wrong = allowedIps?.findIndex((range) => !isRange(range)) ?? -1;
  if (wrong >= 0)
    throw invalidField(
      `allowedIps.${wrong}`,
      "This is no IP address and no network such as 10.0.0.0/8.",
      "invalid_range",
    );
  return allowedIps?.length ? [...new Set(allowedIps)] : null;
}

function endIn(tx: Tx, expiresAt: string | null | undefined): string | null {
  if (expiresAt == null) return null;
  const endMs = momentIn("expiresAt", expiresAt, invalidField);
  if (endMs <= tx.nowMs) throw invalidField("expiresAt", "This is over already.", "too_early");
  return iso(endMs);
}

/** The key that changes a set, and its address; null = a person makes the change. */
export type ChangingKey = { readonly keySet: string; readonly address: string | null };

/** @throws AppError KEY_NOT_FOUND; CONFLICT, also if it was saved since `ifUpdatedAt`; VALIDATION_ERROR */
export async function changeKeys(
  tx: Tx,
  workspace: number,
  id: string,
  { by = null, ...change }: KeySetChange & Pick<SaveTerms, "ifUpdatedAt"> & { readonly by?: ChangingKey | null },
): Promise<KeySet> {
  await lockKeySets(tx, workspace);
  const keySet = await activeKeySet(tx, workspace, id);
  refuseSavedSince(tx, keySet, change);
  const after = {
    name: change.name === undefined ? keySet.name : change.name,
    allowedIps: change.allowedIps === undefined ? keySet.allowedIps : rangesIn(change.allowedIps),
    expiresAt: change.expiresAt === undefined ? keySet.expiresAt : endIn(tx, change.expiresAt),
    updatedAt: timeOfSaving(tx, keySet),
  };
  if (after.expiresAt !== null) await refuseLast(tx, workspace, keySet);
  if (by && change.allowedIps !== undefined && isLockedOut(by, after.allowedIps))
    await refuseLast(tx, workspace, keySet, lockedOut(by));
  await updateKeySet(tx, id, after);
  return { ...keySet, ...after };
}

function isLockedOut({ address }: ChangingKey, allowedIps: readonly string[] | null): boolean {
  return allowedIps !== null && (address === null || !isWithin(rangesOf(allowedIps), address));
}

/**
 * Replaces the secret key; the public one stays. `overlapHours`: how long the previous secret is accepted as well; 0
 * ends that of an earlier rotation, too.
 * @throws AppError KEY_NOT_FOUND; CONFLICT while the secret before an earlier rotation is accepted
 */
export async function rotateSecret(
  tx: Tx,
  workspace: number,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
): Promise<KeySet & { readonly secret: string }> {
  await lockKeySets(tx, workspace);
  const keySet = await activeKeySet(tx, workspace, id);
  const { formerSecretUntil: until } = keySet;
  if (overlapHours > 0 && until !== null && until > tx.now) throw overlapRuns(until);
  const secret = newSecret();
  const formerSecretUntil = iso(tx.nowMs + overlapHours * HOUR_MS);
  await replaceSecret(tx, id, sha256Hex(secret), formerSecretUntil);
  return { ...keySet, formerSecretUntil, secret };
}

async function activeKeySet(tx: Tx, workspace: number, id: string): Promise<KeySet> {
  const keySet = await keySetById(tx, workspace, id);
  if (!keySet) throw new AppError("KEY_NOT_FOUND", `There is no active key set ${id}.`);
  return keySet;
}

/** A revoked set is known as well. @throws AppError KEY_NOT_FOUND, also for another workspace's set */
export async function refuseUnknownKeys(reader: Reader, workspace: number, id: string): Promise<void> {
  if (!(await isKeySetOf(reader, workspace, id))) throw new AppError("KEY_NOT_FOUND", `There is no key set ${id}.`);
}

/** Without a set with full permissions and no end, no program could manage the workspace. */
async function refuseLast(
  tx: Tx,
  workspace: number,
  { domains, permissions, expiresAt }: KeySet,
  refusal = lastKeys(),
): Promise<void> {
  const isManaging = domains === null && permissions === "full" && expiresAt === null;
  if (isManaging && (await countKeySets(tx, workspace)).managing === 1) throw refusal;
}

/** @throws AppError KEY_NOT_FOUND if there is no such set, or it was revoked before */
export async function revokeKeys(tx: Tx, id: string): Promise<void> {
  const revoked = await revokeKeySet(tx, id);
  if (revoked === 0) throw new AppError("KEY_NOT_FOUND", `There is no active key set ${id}.`);
}

/**
 * As `revokeKeys`, for a caller of the workspace itself.
 * @throws AppError KEY_NOT_FOUND, also for another workspace's set; CONFLICT for its last unscoped set with the
 * permission `full` and without an end
 */
export async function revokeOwnKeys(tx: Tx, workspace: number, id: string): Promise<void> {
  await lockKeySets(tx, workspace);
  await refuseLast(tx, workspace, await activeKeySet(tx, workspace, id));
  await revokeKeySet(tx, id);
}

function lastKeys(): AppError {
  return new AppError("CONFLICT", "This is the workspace's last unscoped key set.", {
    reason: "last_keys",
    suggestion: "Create another unscoped key set with the permission full first.",
  });
}

function lockedOut({ address }: ChangingKey): AppError {
  const where = address ?? "an unknown address";
  return new AppError(
    "CONFLICT",
    `You come from ${where}: the workspace's last unscoped key set would be locked out.`,
    {
      reason: "locked_out",
      values: { address: where },
      suggestion: "Add this address to allowedIps, or create another unscoped key set with the permission full first.",
    },
  );
}

function overlapRuns(until: string): AppError {
  return new AppError("CONFLICT", `The secret before the last rotation is taken until ${until}.`, {
    reason: "overlap_runs",
    values: { until },
    suggestion: "Wait until then, or rotate with overlapHours 0, which ends all secrets but the new one at once.",
  });
}

/** The workspace behind a key, or null if the key is unknown or revoked. It may have expired (key-limits.ts). */
export async function callerWith(reader: Reader, key: string): Promise<Caller | null> {
  const kind = key.startsWith("pk_") ? "public" : "secret";
  const holder = await keyHolder(reader, kind, sha256Hex(key));
  return holder && callerOf(holder, kind);
}

function callerOf(holder: KeyHolder, kind: KeyKind): Caller {
  const { workspace, workspaceId, domains, doubleOptIn, keySet, keySetName } = holder;
  return {
    by: { kind: "KEY", id: keySet, name: keySetName },
    person: null,
    limits: limitsOf(holder),
    note: null,
    workspace,
    workspaceId,
    kind,
    domains,
    disabled: holder.disabledAt !== null,
    doubleOptIn,
    topics: holder.topics?.split(" ") ?? [],
    storesSendData: holder.sendData === "stored",
    hasPostalAddress: holder.postalAddress !== null,
    mayUpdate: kind === "secret" || holder.publicUpdate,
    mayUnsubscribe: kind === "secret" || holder.publicUnsubscribe,
    publicEvents: kind === "secret" ? null : holder.publicEvents,
  };
}

function limitsOf({ permissions, allowedIps, expiresAt, former, formerSecretUntil }: KeyHolder): KeyLimits {
  const ends = [expiresAt, former ? formerSecretUntil : null].flatMap((end) => (end === null ? [] : [Date.parse(end)]));
  return {
    permissions,
    allowedIps: allowedIps && rangesOf(allowedIps),
    expiresAtMs: ends.length === 0 ? null : Math.min(...ends),
  };
}

const MOST_KEYS = 10_000;

/**
 * Callers by key: the same few keys come with every request. Kept until the next commit; where commits cannot be
 * noticed (PostgreSQL), concurrent requests share a lookup.
 */
export class Callers {
  #byHash = new BoundedMap<string, Caller>(MOST_KEYS);
  #version: number | null = null;
  readonly #asked = new SharedAnswers<Caller | null>();

  constructor(
    private readonly store: Store,
    private readonly use: Pick<KeyUseLog, "note">,
  ) {}

  /**
   * The caller as committed now, by this process or another, whose key counts as used; null if it is unknown or
   * revoked.
   */
  with(key: string): Caller | Promise<Caller | null> {
    const hash = sha256Hex(key);
    const version = this.store.version();
    if (version !== this.#version) this.#forget(version);
    const caller = this.#byHash.get(hash);
    return caller ? this.#used(caller) : this.#find(key, hash, version);
  }

  async #find(key: string, hash: string, version: number | null): Promise<Caller | null> {
    const caller = await this.#asked.get(hash, () => this.store.read((reader) => callerWith(reader, key)));
    if (caller && version !== null && version === this.store.version()) this.#byHash.set(hash, caller);
    return caller && this.#used(caller);
  }

  #used(caller: Caller): Caller {
    if (caller.by.id) this.use.note(caller.by.id);
    return caller;
  }

  #forget(version: number | null): void {
    this.#byHash = new BoundedMap(MOST_KEYS);
    this.#version = version;
  }
}
