// The SQL of the former addresses of one contact.
import type { Reader, Tx } from "../../../store/store.ts";

export async function addressesOf(reader: Reader, contact: number): Promise<string[]> {
  const rows = await reader.all<{ address: string }>`select address from former_addresses where contact = ${contact}`;
  return rows.map(({ address }) => address);
}

export function deleteAddress(tx: Tx, contact: number, address: string): Promise<number> {
  return tx.run`delete from former_addresses where contact = ${contact} and address = ${address}`;
}
