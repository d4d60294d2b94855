// What stays of an erased person, as keyed hashes of the address: who bounced or complained is not mailed again, and a file that was
// handed in before brings nobody back (interface-gaps.md §3 "DELETE /contacts/{id}").
import type { Tx } from "../store/store.ts";
import type { ContactRow } from "./queries.ts";
import {
  erasedSince,
  hasErasedSince,
  hasSuppressions,
  insertErasedBeforeImport,
  insertSuppression,
  takeSuppressions,
  type Reason,
} from "./suppression-queries.ts";

export type Erasure = {
  /** A job erases the contact: files that wait behind the job were accepted after it, so they may bring the person back. */
  readonly byJob?: boolean;
};

/** Part of erasing a contact. */
export async function rememberErased(
  tx: Tx,
  workspace: number,
  { email, suppressed }: Pick<ContactRow, "email" | "suppressed">,
  { byJob = false }: Erasure,
): Promise<void> {
  const hash = tx.keyedHash(email);
  if (suppressed !== null) await insertSuppression(tx, workspace, hash, suppressed);
  if (!byJob) await insertErasedBeforeImport(tx, workspace, hash);
}

/** Why those of these addresses are suppressed that are; the contacts that are about to be made hold it from now on. */
export async function takeReasons(
  tx: Tx,
  workspace: number,
  emails: readonly string[],
): Promise<ReadonlyMap<string, Reason>> {
  if (emails.length === 0 || !(await hasSuppressions(tx, workspace))) return new Map();
  const byHash = new Map(emails.map((email) => [tx.keyedHash(email), email]));
  const taken = await takeSuppressions(tx, workspace, [...byHash.keys()]);
  return new Map(taken.map(({ hash, reason }) => [byHash.get(hash) as string, reason]));
}

/** Those of these addresses whose people were erased at `since` or later. */
export async function erasedAmong(
  tx: Tx,
  workspace: number,
  emails: readonly string[],
  since: string,
): Promise<ReadonlySet<string>> {
  if (emails.length === 0 || !(await hasErasedSince(tx, workspace, since))) return new Set();
  const byHash = new Map(emails.map((email) => [tx.keyedHash(email), email]));
  const erased = await erasedSince(tx, workspace, [...byHash.keys()], since);
  return new Set([...erased].map((hash) => byHash.get(hash) as string));
}
