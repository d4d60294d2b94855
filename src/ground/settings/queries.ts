// The SQL of settings that owners keep.
import type { Reader, Tx } from "../../store/store.ts";

export type KeptSetting = {
  /** As in the file. */
  readonly key: string;
  /** JSON, of a secret encrypted; null = back to the default. */
  readonly value: string | null;
  readonly updatedAt: string;
  /** JSON of the editor; null = it went back by itself. */
  readonly updatedBy: string | null;
  /** Null = it is confirmed. */
  readonly confirmUntil: string | null;
  readonly before: string | null;
};

export function keptSettings(reader: Reader): Promise<KeptSetting[]> {
  return reader.all<KeptSetting>`
    select key, value, updated_at as "updatedAt", updated_by as "updatedBy", confirm_until as "confirmUntil", before
    from kept_settings order by key`;
}

/** The one that was saved last; null = none ever was. */
export function lastKept(rows: readonly KeptSetting[]): KeptSetting | null {
  return rows.toSorted((one, other) => one.updatedAt.localeCompare(other.updatedAt)).at(-1) ?? null;
}

/** No other transaction changes settings before this one is over. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.get`select one from installation where one = 1${tx.dialect.forUpdate}`;
}

export async function putSetting(tx: Tx, { key, value, updatedAt, updatedBy, ...risk }: KeptSetting): Promise<void> {
  await tx.run`
    insert into kept_settings (key, value, updated_at, updated_by, confirm_until, before)
    values (${key}, ${value}, ${updatedAt}, ${updatedBy}, ${risk.confirmUntil}, ${risk.before})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by, confirm_until = excluded.confirm_until, before = excluded.before`;
}

/** 0 = nothing waits for it any more. */
export function confirmAll(tx: Tx): Promise<number> {
  return tx.run`
    update kept_settings set confirm_until = null, before = null
    where confirm_until > ${tx.now}`;
}

/** Those that could be confirmed for longer. Answers how many. */
export function confirmBy(tx: Tx, until: string): Promise<number> {
  return tx.run`update kept_settings set confirm_until = ${until} where confirm_until > ${until}`;
}

/** Those that can be confirmed until then, or could until a time before. Answers how many. */
export function goBack(tx: Tx, until: string, updatedAt: string): Promise<number> {
  return tx.run`
    update kept_settings
    set value = before, before = null, confirm_until = null, updated_at = ${updatedAt}, updated_by = null
    where confirm_until <= ${until}`;
}
