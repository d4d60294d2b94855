// The SQL of the ledger's rows, by person.
import { insertion } from "../../store/row-statement.ts";
import { sql } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";

export type NewLedgerRow = { readonly workspace: number; readonly contact: number | null; readonly content: string };

const NOTES = insertion("consents", { workspace: "bigint", contact: "bigint", content: "text" });

export async function insertNotes(tx: Tx, notes: readonly NewLedgerRow[]): Promise<void> {
  await tx.runEach(
    NOTES,
    notes.map(({ workspace, contact, content }) => [workspace, contact, content]),
  );
}

export function insertWording(
  tx: Tx,
  workspace: number,
  { digest, text }: { readonly digest: Uint8Array; readonly text: string },
): Promise<number> {
  return tx.run`
    insert into consent_wordings (workspace, digest, text) values (${workspace}, ${digest}, ${text}) on conflict do nothing`;
}

/** Deletes rows that are not chained yet: the chain has no gap without them. */
export function deleteUnchained(tx: Tx, contact: number): Promise<number> {
  return tx.run`delete from consents where contact = ${contact} and number is null`;
}

/** Clears chained rows, whose hashes still prove that the chain is whole; answers their numbers. */
export async function takeContents(tx: Tx, contact: number): Promise<number[]> {
  const rows = await tx.all<{ number: number }>`
    update consents set contact = null, content = null, salt = null where contact = ${contact} returning number`;
  return rows.map(({ number }) => number).sort((one, other) => one - other);
}

/** In the order of writing. */
export async function contentsOf(tx: Tx, contact: number): Promise<string[]> {
  const rows = await tx.all<{ content: string }>`select content from consents where contact = ${contact} order by seq`;
  return rows.map(({ content }) => content);
}

/** Like contentsOf, with the rows' numbers. */
export function notesOf(tx: Tx, contact: number): Promise<{ seq: number; content: string }[]> {
  return tx.all`select seq, content from consents where contact = ${contact} order by seq`;
}

type ConsentSource = { readonly contact: number; readonly source: string };

/** Where these people agreed, according to imports. */
export async function sourcesAmong(tx: Tx, contacts: readonly number[]): Promise<ConsentSource[]> {
  const rows = await tx.all<{ contact: number; content: string }>`
    select contact, content from consents where ${tx.dialect.isAmong(sql`contact`, contacts)}`;
  return rows.flatMap(({ contact, content }) => {
    const { source } = JSON.parse(content) as { readonly source?: string };
    return source ? { contact, source } : [];
  });
}

export async function newestOf(tx: Tx, contact: number): Promise<string | null> {
  const row = await tx.get<{ content: string }>`
    select content from consents where contact = ${contact} order by seq desc limit 1`;
  return row?.content ?? null;
}

/** Deletes some rows of a workspace; answers how many. */
export function deleteConsentsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from consents where seq in (select seq from consents where workspace = ${workspace} order by workspace limit ${most})`;
}
