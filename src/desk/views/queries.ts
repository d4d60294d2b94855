// The SQL of saved views.
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { ErasedNames } from "../../store/table.ts";

/** `person`: the number of a user; null = the view is the whole workspace's. */
export type ViewOwner = { readonly workspace: number; readonly person: number | null };

export type ViewScope = ViewOwner & { readonly list: string };

export type StoredView = {
  readonly id: string;
  readonly list: string;
  readonly person: number | null;
  readonly name: string;
  /** JSON text. */
  readonly filter: string;
  readonly createdAt: string;
};

export type NewView = ViewScope & { readonly id: string; readonly name: string; readonly filter: string };

export function insertView(tx: Tx, { id, workspace, person, list, name, filter }: NewView): Promise<number> {
  return tx.run`
    insert into saved_views (id, workspace, person, list, name, filter, created_at)
    values (${id}, ${workspace}, ${person}, ${list}, ${name}, ${filter}, ${tx.now})`;
}

/** The views of a list: the workspace's and the person's own, oldest first. */
export function viewsFor(reader: Reader, { workspace, person, list }: ViewScope): Promise<StoredView[]> {
  return reader.all<StoredView>`
    select id, list, person, name, filter, created_at as "createdAt" from saved_views
    where workspace = ${workspace} and list = ${list} and ${seenBy(person)} order by seq`;
}

/** Null if it may not be seen. */
export function viewById(reader: Reader, { workspace, person }: ViewOwner, id: string): Promise<StoredView | null> {
  return reader.get<StoredView>`
    select id, list, person, name, filter, created_at as "createdAt" from saved_views
    where id = ${id} and workspace = ${workspace} and ${seenBy(person)}`;
}

function seenBy(person: number | null): Sql {
  return person === null ? sql`person is null` : sql`(person is null or person = ${person})`;
}

export function deleteView(tx: Tx, id: string): Promise<number> {
  return tx.run`delete from saved_views where id = ${id}`;
}

/** Deletes views that search for somebody who is erased. */
export async function deleteViewsNaming(tx: Tx, workspace: number, { ids, emails }: ErasedNames): Promise<void> {
  for (const name of [...ids, ...emails])
    await tx.run`delete from saved_views where workspace = ${workspace} and instr(filter, ${name}) > 0`;
}
