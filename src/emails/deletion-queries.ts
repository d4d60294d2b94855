// The SQL of deleting mails with those whom they belong to.
import type { Tx } from "../store/store.ts";

/** A part of a workspace's mails, with what there is about them; answers how many. */
export function deleteMailsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from emails where seq in (select seq from emails where workspace = ${workspace} order by seq limit ${most})`;
}

/** The same of contents that no mail has any more. */
export function deleteContentsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`delete from contents where seq in (select seq from contents where workspace = ${workspace} limit ${most})`;
}
