// The SQL of saved views.
import { column, TableRows, type RowOf } from "../../store/columns.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { ErasedNames } from "../../store/table.ts";

/** `person`: the number of a user; null = the view is the whole workspace's. */
export type ViewOwner = { readonly workspace: number; readonly person: number | null };

export type ViewScope = ViewOwner & { readonly list: string };

const ROWS = new TableRows("saved_views", {
  id: column.text(),
  list: column.text(),
  person: column.orNull(column.number()),
  name: column.text(),
  /** JSON text. */
  filter: column.text(),
  createdAt: column.text(),
});

export type StoredView = RowOf<typeof ROWS>;

export type NewView = ViewScope & Pick<StoredView, "id" | "name" | "filter">;

export function insertView(tx: Tx, { workspace, ...view }: NewView): Promise<StoredView> {
  return ROWS.insert(tx, { ...view, createdAt: tx.now }, { workspace });
}

/** The views of a list: the workspace's and the person's own, oldest first. */
export function viewsFor(reader: Reader, { workspace, person, list }: ViewScope): Promise<StoredView[]> {
  return ROWS.all(reader, sql`where workspace = ${workspace} and list = ${list} and ${seenBy(person)} order by seq`);
}

/** Null if it may not be seen. */
export function viewById(reader: Reader, { workspace, person }: ViewOwner, id: string): Promise<StoredView | null> {
  return ROWS.get(reader, sql`where id = ${id} and workspace = ${workspace} and ${seenBy(person)}`);
}

function seenBy(person: number | null): Sql {
  return person === null ? sql`person is null` : sql`(person is null or person = ${person})`;
}

export function deleteView(tx: Tx, id: string): Promise<number> {
  return tx.run`delete from saved_views where id = ${id}`;
}

/** Deletes views that search for an erased person. */
export async function deleteViewsNaming(tx: Tx, workspace: number, { ids, emails }: ErasedNames): Promise<void> {
  for (const name of [...ids, ...emails])
    await tx.run`delete from saved_views where workspace = ${workspace} and instr(filter, ${name}) > 0`;
}
