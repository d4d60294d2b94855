// The SQL of one person's rows in the ledger, and of their proof.
import { steadyList } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import type { LedgerHead } from "./chain-queries.ts";
import type { LedgerRow } from "./record.ts";

/** Newest first. */
export function consentsBefore(reader: Reader, contact: number, before: number, most: number): Promise<LedgerRow[]> {
  return reader.all<LedgerRow>`
    select seq, number, content from consents
    where contact = ${contact} and seq < ${before} order by seq desc limit ${most}`;
}

/** Null = the row is not chained yet. */
type ProvenRow = LedgerRow & { readonly salt: Uint8Array | null; readonly digest: Uint8Array | null };

/** Oldest first. */
export function rowsOf(reader: Reader, contact: number, most: number): Promise<ProvenRow[]> {
  return reader.all<ProvenRow>`
    select seq, number, content, salt, digest from consents where contact = ${contact} order by seq limit ${most}`;
}

/** The first signed head at or above this number. */
export function headAfter(reader: Reader, workspace: number, number: number): Promise<LedgerHead | null> {
  return reader.get<LedgerHead>`
    select number, hash, at, signature from (
      select number, hash, at, signature from (
        select number, hash, at, signature from consent_heads
        where workspace = ${workspace} and number >= ${number} order by number limit 1) as kept
      union all
      select number, hash, at, signature from consent_tips where workspace = ${workspace} and number >= ${number}
    ) as heads order by number limit 1`;
}

export function digestsBetween(
  reader: Reader,
  workspace: number,
  from: number,
  to: number,
): Promise<{ digest: Uint8Array }[]> {
  return reader.all`
    select digest from consents
    where workspace = ${workspace} and number >= ${from} and number <= ${to} order by number`;
}

export async function hashOfNumber(reader: Reader, workspace: number, number: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ hash: Uint8Array }>`
    select hash from consents where workspace = ${workspace} and number = ${number}`;
  return row?.hash ?? null;
}

export function wordingsAmong(
  reader: Reader,
  workspace: number,
  digests: readonly Uint8Array[],
): Promise<{ digest: Uint8Array; text: string }[]> {
  return reader.all`
    select digest, text from consent_wordings
    where workspace = ${workspace} and digest in (${steadyList(digests)})`;
}
