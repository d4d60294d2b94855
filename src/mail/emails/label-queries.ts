// The SQL by which mails with tags and metadata are found.
import { insertion } from "../../store/row-statement.ts";
import type { Tx } from "../../store/store.ts";

const LABELS = insertion("email_labels", { workspace: "bigint", name: "text", email: "bigint" });

export async function insertLabels(
  tx: Tx,
  workspace: number,
  names: readonly string[],
  emails: readonly number[],
): Promise<void> {
  const rows = emails.flatMap((email) => names.map((name) => [workspace, name, email]));
  await tx.runEach(LABELS, rows);
}

/** Copies the labels to the mail with this public id, which repeats the first. */
export function copyLabels(tx: Tx, email: number, id: string): Promise<number> {
  return tx.run`
    insert into email_labels (workspace, name, email)
    select l.workspace, l.name, e.seq from email_labels l cross join emails e where l.email = ${email} and e.id = ${id}`;
}
