// The DKIM keys of a sender domain: one signs, the next waits for its record, the last is kept for mails on their way.
import { AppError } from "../../base/errors.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { giveKey, type KeyPair } from "./dkim-key.ts";
import { findingOf, type Checks } from "./dns-check/look.ts";
import { dkimRecord, removableAt } from "./dns-records.ts";
import { activateKey, keysOfDomains, retireKeys, setKeyGone, type DomainKey } from "./key-queries.ts";
import { lockDomain, type Domain } from "./queries.ts";
import { ownDomain } from "./domain.ts";

export function signingKey(keys: readonly DomainKey[]): DomainKey | null {
  return keys.find((key) => key.activeFrom !== null && key.retiredAt === null) ?? null;
}

/** The key whose record has not been found yet. */
export function nextKey(keys: readonly DomainKey[]): DomainKey | null {
  return keys.find((key) => key.activeFrom === null) ?? null;
}

/**
 * Gives a domain a second key, which takes over once its record is found.
 * @throws as rotatable
 */
export async function rotateKey(tx: Tx, secrets: Secrets, domain: Domain, keyPair: KeyPair): Promise<void> {
  await lockDomain(tx, domain.seq);
  await rotatable(tx, domain.workspace, domain.id, tx.now);
  await giveKey(tx, secrets, { ...domain, keyPair, activeFrom: null });
}

/**
 * The domain, if it may get another key now: to be called before a key is made, which takes long.
 * @throws AppError DOMAIN_NOT_FOUND, or CONFLICT while a rotation is under way or mails signed by the previous key may
 * be on their way
 */
export async function rotatable(reader: Reader, workspace: number, id: string, now: string): Promise<Domain> {
  const domain = await ownDomain(reader, workspace, id);
  const keys = await keysOfDomains(reader, [domain.seq]);
  const next = nextKey(keys);
  if (next)
    throw new AppError("CONFLICT", `The key ${next.selector} is waiting for its DKIM record to be published.`, {
      reason: "rotation_under_way",
      values: { selector: next.selector },
    });
  const last = keys.find(({ retiredAt }) => retiredAt !== null && removableAt(retiredAt) > now);
  if (last?.retiredAt) throw tooSoon(last.selector, removableAt(last.retiredAt));
  return domain;
}

/**
 * Lets the next key sign once its record was found, and deletes an old one in time: when its record is gone, or revoked
 * (an empty `p=`, RFC 6376 §3.6.1), or another's. True if the next key took over.
 */
export async function turnKeys(tx: Tx, { seq, domain }: Domain, checks: Checks): Promise<boolean> {
  const keys = await keysOfDomains(tx, [seq]);
  for (const key of keys) {
    const { state } = findingOf(checks, dkimRecord(domain, key));
    const isGone = state === "MISSING" || state === "WRONG";
    if (isGone && key.retiredAt !== null && removableAt(key.retiredAt) <= tx.now) await setKeyGone(tx, key.seq);
  }
  const next = nextKey(keys);
  if (!next || findingOf(checks, dkimRecord(domain, next)).state !== "OK") return false;
  await retireKeys(tx, seq);
  return (await activateKey(tx, next.seq)) > 0;
}

function tooSoon(selector: string, from: string): AppError {
  return new AppError("CONFLICT", `Emails signed with the previous key, ${selector}, are on their way until ${from}.`, {
    reason: "rotation_too_soon",
    values: { selector, from },
    suggestion: "Repeat the request after that time.",
  });
}
