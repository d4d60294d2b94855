// The SQL of contacts' former addresses, which still find the contact and its mail.
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { C_PRESENT } from "../queries.ts";

export type FormerAddress = {
  readonly workspace: number;
  readonly contact: number;
  readonly address: string;
  /** 1 = the address of a contact that was merged into this one. */
  readonly merged: 0 | 1;
};

export function insertFormer(tx: Tx, { workspace, contact, address, merged }: FormerAddress): Promise<number> {
  return tx.run`
    insert into former_addresses (workspace, address, contact, merged, left_at)
    values (${workspace}, ${address}, ${contact}, ${merged}, ${tx.now})
    on conflict (workspace, address, contact) do update set left_at = excluded.left_at`;
}

/** True if the contact has the address by a merge. */
export async function isMerged(
  reader: Reader,
  { workspace, contact, address }: Omit<FormerAddress, "merged">,
): Promise<boolean> {
  const row = await reader.get<{ merged: 0 | 1 }>`
    select merged from former_addresses
    where workspace = ${workspace} and address = ${address} and contact = ${contact}`;
  return row?.merged === 1;
}

export function deleteFormerOf(tx: Tx, contact: number): Promise<number> {
  return tx.run`delete from former_addresses where contact = ${contact}`;
}

export type FoundFormer = { readonly contact: number; readonly address: string };

/** Contacts whose former address has this prefix and whose current address is another. */
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

export async function addressesOf(reader: Reader, contact: number): Promise<string[]> {
  const rows = await reader.all<{ address: string }>`select address from former_addresses where contact = ${contact}`;
  return rows.map(({ address }) => address);
}

export function deleteAddress(tx: Tx, contact: number, address: string): Promise<number> {
  return tx.run`delete from former_addresses where contact = ${contact} and address = ${address}`;
}
