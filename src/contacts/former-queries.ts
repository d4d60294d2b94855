// The SQL of former addresses of contacts, by which mail sent to them is found.
import { sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import { C_PRESENT } from "./queries.ts";

export type Former = { readonly workspace: number; readonly contact: number; readonly address: string };

export function insertFormer(tx: Tx, { workspace, contact, address }: Former): Promise<number> {
  return tx.run`
    insert into former_addresses (workspace, address, contact) values (${workspace}, ${address}, ${contact})
    on conflict do nothing`;
}

export function deleteFormerOf(tx: Tx, contact: number): Promise<number> {
  return tx.run`delete from former_addresses where contact = ${contact}`;
}

export type FoundFormer = { readonly contact: number; readonly address: string };

/** Contacts that had an address which begins so, and have another one now. */
export function formerStarting(
  reader: Reader,
  workspace: number,
  address: string,
  most: number,
): Promise<FoundFormer[]> {
  return reader.all<FoundFormer>`
    select f.contact, f.address from former_addresses f join contacts c on c.seq = f.contact
    where f.workspace = ${workspace} and ${reader.dialect.startsWith(sql`f.address`, address)}
      and f.address <> c.email and ${C_PRESENT} limit ${most}`;
}
