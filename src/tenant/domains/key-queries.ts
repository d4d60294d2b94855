// The SQL of the keys that sender domains sign with.
import { sqlList } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

export type DomainKey = {
  readonly seq: number;
  readonly domain: number;
  readonly selector: string;
  /** Base64, the `p=` of the DNS record. */
  readonly publicKey: string;
  /** When it begins to sign; null = not yet. */
  readonly activeFrom: string | null;
  readonly retiredAt: string | null;
};

type NewDomainKey = {
  readonly domain: number;
  readonly domainName: string;
  readonly selector: string;
  readonly publicKey: string;
  readonly encryptedPrivateKey: string;
  readonly activeFrom: string | null;
};

/** Answers 0 if a key of the domain's name has or had the selector. */
export function insertDomainKey(tx: Tx, key: NewDomainKey): Promise<number> {
  return tx.run`
    insert into domain_keys (domain, domain_name, selector, public_key, private_key, active_from, created_at)
    values (${key.domain}, ${key.domainName}, ${key.selector}, ${key.publicKey}, ${key.encryptedPrivateKey}, ${key.activeFrom},
      ${tx.now})
    on conflict (domain_name, selector) do nothing`;
}

/** Keys that sign, wait for their record, or were retired lately; oldest first. `domains` must not be empty. */
export async function keysOfDomains(reader: Reader, domains: readonly number[]): Promise<DomainKey[]> {
  const keys = await reader.all<DomainKey>`
    select seq, domain, selector, public_key as "publicKey", active_from as "activeFrom", retired_at as "retiredAt"
    from domain_keys
    where domain in (${sqlList(domains)}) and gone_at is null`;
  return keys.sort((one, other) => one.seq - other.seq);
}

/** Every selector that the domain's name ever had, in any workspace. */
export async function selectorsOf(reader: Reader, domain: string): Promise<string[]> {
  const rows = await reader.all<{ selector: string }>`
    select selector from domain_keys where domain_name = ${domain}
    union select selector from former_selectors where domain_name = ${domain}`;
  return rows.map(({ selector }) => selector);
}

/** Called before a workspace is deleted with its domains and keys. Scans all domains, which are few. */
export function keepSelectors(tx: Tx, workspace: number): Promise<number> {
  return tx.run`
    insert into former_selectors (domain_name, selector)
    select k.domain_name, k.selector from domains d join domain_keys k on k.domain = d.seq
    where d.workspace = ${workspace} and k.domain_name is not null
    on conflict (domain_name, selector) do nothing`;
}

export async function privateKeyOf(reader: Reader, key: number): Promise<string | null> {
  const row = await reader.get<{ private_key: string }>`select private_key from domain_keys where seq = ${key}`;
  return row?.private_key ?? null;
}

/** Deletes a key that was retired before. */
export function retireKeys(tx: Tx, domain: number): Promise<number> {
  return tx.run`
    update domain_keys set retired_at = coalesce(retired_at, ${tx.now}), gone_at = case when retired_at is null then gone_at else ${tx.now} end
    where domain = ${domain} and active_from is not null and gone_at is null`;
}

export function activateKey(tx: Tx, key: number): Promise<number> {
  return tx.run`update domain_keys set active_from = ${tx.now} where seq = ${key} and active_from is null`;
}

export function setKeyGone(tx: Tx, key: number): Promise<number> {
  return tx.run`update domain_keys set gone_at = ${tx.now} where seq = ${key} and gone_at is null`;
}

export function forgetPrivateKeys(tx: Tx, domain: number): Promise<number> {
  return tx.run`update domain_keys set private_key = '' where domain = ${domain}`;
}
