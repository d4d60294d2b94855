// The SQL of the fields in contacts' data: keys, types and frequent texts, from a sample.
import { sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";

export type FieldRow = {
  readonly key: string;
  /** The database engine's name of a JSON type. */
  readonly type: string;
  readonly contacts: number;
  /** The beginnings of the smallest and the largest value. */
  readonly least: string | null;
  readonly greatest: string | null;
};

/** The top-level keys and types in the data of `most` contacts from the seq `from` on. */
export function fieldsFrom(reader: Reader, workspace: number, from: number, most: number): Promise<FieldRow[]> {
  return reader.all<FieldRow>`
    select field.key, field.type, count(*) as contacts, min(substr(cast(field.value as text), 1, 30)) as least,
      max(substr(cast(field.value as text), 1, 30)) as greatest
    from (select data from contacts where workspace = ${workspace} and seq >= ${from} order by seq limit ${most}) as sample
    cross join ${reader.dialect.jsonFields(sql`sample.data`)} as field
    group by field.key, field.type order by contacts desc, field.key limit 1000`;
}

/** Longer texts do not help in choosing a value. */
const VALUE_CHARS = 200;

/** The most frequent texts at a path in the data of the newest `among` contacts. */
export function frequentTexts(
  reader: Reader,
  workspace: number,
  path: readonly string[],
  { among, most }: { readonly among: number; readonly most: number },
): Promise<{ value: string; contacts: number }[]> {
  const { text } = reader.dialect.jsonAt(sql`newest.data_queried`, path);
  return reader.all`
    select found.value, count(*) as contacts from (
      select ${text} as value from (
        select data_queried from contacts where workspace = ${workspace} order by seq desc limit ${among}) as newest) as found
    where found.value <> ${""} and length(found.value) <= ${VALUE_CHARS}
    group by found.value order by contacts desc, found.value limit ${most}`;
}

/** The seqs of the first and the last contact; null = there are no contacts. */
export async function extent(reader: Reader, workspace: number): Promise<{ first: number; last: number } | null> {
  const row = await reader.get<{ first: number | null; last: number | null }>`
    select (select seq from contacts where workspace = ${workspace} order by seq limit 1) as first,
      (select seq from contacts where workspace = ${workspace} order by seq desc limit 1) as last`;
  return row?.first == null || row.last == null ? null : { first: row.first, last: row.last };
}
