// The SQL of what contacts' data hold.
import { sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";

export type FieldRow = {
  readonly key: string;
  /** As the engine names types of JSON. */
  readonly type: string;
  readonly contacts: number;
  /** The beginnings of the least and of the greatest value. */
  readonly least: string | null;
  readonly greatest: string | null;
};

/** What `most` contacts from `from` (a seq) on have at the top level of their data: a row for each key and type. */
export function fieldsFrom(reader: Reader, workspace: number, from: number, most: number): Promise<FieldRow[]> {
  return reader.all<FieldRow>`
    select field.key, field.type, count(*) as contacts, min(substr(cast(field.value as text), 1, 30)) as least,
      max(substr(cast(field.value as text), 1, 30)) as greatest
    from (select data from contacts where workspace = ${workspace} and seq >= ${from} order by seq limit ${most}) as sample
    cross join ${reader.dialect.jsonFields(sql`sample.data`)} as field
    group by field.key, field.type order by contacts desc, field.key limit 1000`;
}

/** The seqs of the first and the last contact of a workspace; null if it has none. */
export async function extent(reader: Reader, workspace: number): Promise<{ first: number; last: number } | null> {
  const row = await reader.get<{ first: number | null; last: number | null }>`
    select (select seq from contacts where workspace = ${workspace} order by seq limit 1) as first,
      (select seq from contacts where workspace = ${workspace} order by seq desc limit 1) as last`;
  return row?.first == null || row.last == null ? null : { first: row.first, last: row.last };
}
