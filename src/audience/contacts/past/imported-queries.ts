// The SQL of the changes that imports made to contacts.
import { jsonOrNull } from "../../../store/columns.ts";
import { insertion } from "../../../store/row-statement.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { TopicChoices } from "../../topics/queries.ts";
import type { SuppressionReason } from "../../suppressions/queries.ts";
import type { MergeDirection } from "../../../store/table.ts";

/** The prior state of the changed fields. */
export type PriorContact = {
  /** An empty list = the key did not exist. */
  readonly data?: Readonly<Record<string, readonly [] | readonly [unknown]>>;
  readonly subscribed?: boolean;
  /** The contact's topic choices. */
  readonly topics?: TopicChoices;
  /** The number of the segment that the import added the contact to. */
  readonly joined?: number;
  /** The suppression that subscribing lifted, or null where the import suppressed the address. */
  readonly suppressed?: SuppressionReason | null;
};

export type ImportTrace = {
  readonly contact: number;
  /** Null = the import added the contact; empty = the contact already matched the file. */
  readonly former: PriorContact | null;
  /** The contact's `updatedAt` after the import. */
  readonly changedAt: string;
};

type ImportTraceRow = Omit<ImportTrace, "former"> & { readonly former: string | null };

const IMPORTED = sql`contact, former, changed_at as "changedAt"`;
const importedOf = (row: ImportTraceRow): ImportTrace => ({ ...row, former: jsonOrNull(row.former) });

export async function importedAmong(reader: Reader, job: number, contacts: readonly number[]): Promise<ImportTrace[]> {
  if (contacts.length === 0) return [];
  const rows = await reader.all<ImportTraceRow>`
    select ${IMPORTED} from import_changes where job = ${job} and ${reader.dialect.isAmong(sql`contact`, contacts)}`;
  return rows.map(importedOf);
}

const KEPT = insertion(
  "import_changes",
  { job: "bigint", contact: "bigint", former: "text", changed_at: "text" },
  "on conflict (job, contact) do update set former = excluded.former, changed_at = excluded.changed_at",
);

export async function keepImported(tx: Tx, job: number, rows: readonly ImportTrace[]): Promise<void> {
  const values = rows.map(({ contact, former, changedAt }) => [
    job,
    contact,
    former === null ? null : JSON.stringify(former),
    changedAt,
  ]);
  if (values.length > 0) await tx.runEach(KEPT, values);
}

const TO_UNDO = sql`(former is null or former <> '{}')`;

/** Counts the contacts that the import added or changed. */
export async function countToUndo(reader: Reader, job: number): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from import_changes where job = ${job} and ${TO_UNDO}`;
  return row?.count ?? 0;
}

/** The next contacts that the import added or changed. */
export async function toUndoAfter(reader: Reader, job: number, after: number, most: number): Promise<ImportTrace[]> {
  const rows = await reader.all<ImportTraceRow>`
    select ${IMPORTED} from import_changes where job = ${job} and contact > ${after} and ${TO_UNDO} order by contact limit ${most}`;
  return rows.map(importedOf);
}

/** Leaves nothing to undo, but still counts the contact as found by the import. */
export function setUndone(tx: Tx, job: number, contact: number): Promise<number> {
  return tx.run`update import_changes set former = '{}' where job = ${job} and contact = ${contact}`;
}

/** Covers all imports of a workspace; a contact has a row in only a few of them. */
export function forgetImported(tx: Tx, workspace: number, contact: number): Promise<number> {
  return tx.run`
    delete from import_changes where contact = ${contact} and job in (
      select seq from contact_jobs where workspace = ${workspace} and operation = 'IMPORT')`;
}

export function deleteImported(tx: Tx, job: number, most: number): Promise<number> {
  return tx.run`
    delete from import_changes where job = ${job} and contact in (
      select contact from import_changes where job = ${job} order by contact limit ${most})`;
}

/** Deletes some rows of a workspace's imports; answers how many. */
export function deleteImportedOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from import_changes where (job, contact) in (
      select i.job, i.contact from contact_jobs j join import_changes i on i.job = j.seq
      where j.workspace = ${workspace} limit ${most})`;
}

/** Moves the rows of imports; not those of imports that have a row of the other, too. Answers the imports. */
export async function moveImported(tx: Tx, workspace: number, { from, to }: MergeDirection): Promise<number[]> {
  const rows = await tx.all<{ job: number }>`
    update import_changes set contact = ${to} where contact = ${from}
      and job in (select seq from contact_jobs where workspace = ${workspace} and operation = 'IMPORT')
      and not exists (select 1 from import_changes o where o.job = import_changes.job and o.contact = ${to})
    returning job`;
  return rows.map(({ job }) => job);
}

/** As moveBack. */
export function moveImportedBack(tx: Tx, { from, to }: MergeDirection, jobs: readonly number[]): Promise<number> {
  return tx.run`
    update import_changes set contact = ${from} where ${tx.dialect.isAmong(sql`job`, jobs)} and contact = ${to}`;
}
