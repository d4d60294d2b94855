// The SQL of the ways out that owners have added, and of the pauses of any way.
import { jsonOrNull } from "../../store/columns.ts";
import type { Reader, Tx } from "../../store/store.ts";

export type WayRow = {
  readonly name: string;
  /** Null: a way of the configuration, of which only the pause is kept here. */
  readonly settings: Readonly<Record<string, unknown>> | null;
  /** JSON, encrypted with the installation's key; null = it has no secrets. */
  readonly secrets: string | null;
  readonly pausedAt: string | null;
  /** When its settings were saved. */
  readonly updatedAt: string;
};

/** In the order in which they were added. */
export async function keptWays(reader: Reader): Promise<WayRow[]> {
  const rows = await reader.all<Omit<WayRow, "settings"> & { readonly settings: string | null }>`
    select name, settings, secrets, paused_at as "pausedAt", updated_at as "updatedAt" from ways order by seq`;
  return rows.map((row) => ({ ...row, settings: jsonOrNull(row.settings) }));
}

type WayEntry = { readonly name: string; readonly settings: object; readonly secrets: string | null };

/** Ends a pause that was kept for a way of this name. 0: the name is taken. */
export function insertWay(tx: Tx, { name, settings, secrets }: WayEntry): Promise<number> {
  return tx.run`
    insert into ways (name, settings, secrets, created_at, updated_at)
    values (${name}, ${JSON.stringify(settings)}, ${secrets}, ${tx.now}, ${tx.now})
    on conflict (name) do update
    set settings = excluded.settings, secrets = excluded.secrets, paused_at = null, updated_at = excluded.updated_at
    where ways.settings is null`;
}

/** No other transaction changes it before this one is over. */
export async function lockWay(tx: Tx, name: string): Promise<void> {
  await tx.get`select name from ways where name = ${name}${tx.dialect.forUpdate}`;
}

export function updateWay(tx: Tx, { name, settings, secrets }: WayEntry, at: string): Promise<number> {
  return tx.run`
    update ways set settings = ${JSON.stringify(settings)}, secrets = ${secrets}, updated_at = ${at}
    where name = ${name} and settings is not null`;
}

export function deleteWay(tx: Tx, name: string): Promise<number> {
  return tx.run`delete from ways where name = ${name}`;
}

/** Changes nothing if the pause is as wanted already. */
export async function setPaused(tx: Tx, name: string, isPaused: boolean): Promise<void> {
  const at = isPaused ? tx.now : null;
  await tx.run`
    insert into ways (name, paused_at, created_at, updated_at) values (${name}, ${at}, ${tx.now}, ${tx.now})
    on conflict (name) do update set paused_at = excluded.paused_at
    where (ways.paused_at is null) <> (excluded.paused_at is null)`;
}
