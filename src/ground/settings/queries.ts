// The SQL of settings that owners keep.
import { column, TableRows, type RowOf } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

const ROWS = new TableRows("kept_settings", {
  /** As in the file. */
  key: column.text(),
  /** JSON, of a secret encrypted; null = back to the default. */
  value: column.orNull(column.text()),
  updatedAt: column.text(),
  /** The editor; null = it went back by itself. */
  updatedBy: column.orNull(column.json<object>()),
  /** Null = it is confirmed. */
  confirmUntil: column.orNull(column.text()),
  before: column.orNull(column.text()),
});

export type KeptSetting = RowOf<typeof ROWS>;

export function keptSettings(reader: Reader): Promise<KeptSetting[]> {
  return ROWS.all(reader, sql`order by key`);
}

/** No other transaction changes settings before this one ends. */
export async function lockSettings(tx: Tx): Promise<KeptSetting[]> {
  await tx.get`select one from installation where one = 1${tx.dialect.forUpdate}`;
  return keptSettings(tx);
}

/** The setting that was saved last; null = none ever was. */
export function lastKept(rows: readonly KeptSetting[]): KeptSetting | null {
  return rows.toSorted((one, other) => one.updatedAt.localeCompare(other.updatedAt)).at(-1) ?? null;
}

export async function putSetting(tx: Tx, setting: KeptSetting): Promise<void> {
  const replacing = sql`
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by, confirm_until = excluded.confirm_until, before = excluded.before`;
  await ROWS.insertUnless(tx, replacing, setting);
}

/** Answers how many were waiting. */
export function confirmAll(tx: Tx): Promise<number> {
  return tx.run`
    update kept_settings set confirm_until = null, before = null
    where confirm_until > ${tx.now}`;
}

/** Shortens the time of those that could be confirmed for longer. Answers how many. */
export function confirmBy(tx: Tx, until: string): Promise<number> {
  return tx.run`update kept_settings set confirm_until = ${until} where confirm_until > ${until}`;
}
