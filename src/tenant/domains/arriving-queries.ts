// The SQL of DKIM keys that leave and come in with their workspace (src/operator/leaving).
import type { Reader, Tx } from "../../store/store.ts";

export type PortableKey = {
  /** The public id of the domain. */
  readonly domain: string;
  readonly selector: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly activeFrom: string | null;
  readonly retiredAt: string | null;
  readonly createdAt: string;
};

/** DKIM keys in use or planned. */
export function domainKeysOf(reader: Reader, workspace: number): Promise<PortableKey[]> {
  return reader.all<PortableKey>`
    select d.id as domain, k.selector, k.public_key as "publicKey", k.private_key as "privateKey",
      k.active_from as "activeFrom", k.retired_at as "retiredAt", k.created_at as "createdAt"
    from domain_keys k join domains d on d.seq = k.domain
    where d.workspace = ${workspace} and d.removed_at is null and k.private_key <> '' and k.gone_at is null`;
}

/** Not one whose selector is known here already. */
export function insertArrivedKey(tx: Tx, workspace: number, key: PortableKey): Promise<number> {
  return tx.run`
    insert into domain_keys (domain, domain_name, selector, public_key, private_key, active_from, retired_at, created_at)
    select seq, domain, cast(${key.selector} as text), cast(${key.publicKey} as text), cast(${key.privateKey} as text),
      cast(${key.activeFrom} as text), cast(${key.retiredAt} as text), cast(${key.createdAt} as text)
    from domains where workspace = ${workspace} and id = ${key.domain} and removed_at is null
    on conflict do nothing`;
}

export type KeylessDomain = { readonly seq: number; readonly domain: string };

/** Sender domains that came without a key. */
export function domainsWithoutKey(reader: Reader, workspace: number): Promise<KeylessDomain[]> {
  return reader.all<KeylessDomain>`
    select seq, domain from domains d where workspace = ${workspace} and removed_at is null
      and not exists (select 1 from domain_keys k where k.domain = d.seq and k.active_from is not null) order by seq`;
}
