// The SQL of the pacers: one for each way out.
import { DEFAULT_WAY } from "../../base/config/ways.ts";
import type { Store, Tx } from "../../store/store.ts";

/** The way of [delivery] keeps the pacer name that it had as the only way. */
export function pacerOf(way: string): string {
  return way === DEFAULT_WAY ? "outgoing" : `way ${way}`;
}

/** Adds the row if it is missing. */
export async function pacerIn(store: Store, pacer: string): Promise<void> {
  const known = await store.read((reader) => reader.get`select name from pacers where name = ${pacer}`);
  if (!known)
    await store.write(
      (tx) => tx.run`insert into pacers (name, next_at_ms) values (${pacer}, 0) on conflict do nothing`,
    );
}

/**
 * The earliest moment of the next slot, in milliseconds since 1970. Other processes wait until this transaction ends.
 */
export async function lockBucket(tx: Tx, pacer: string): Promise<number> {
  const row = await tx.get<{ readonly next_at_ms: number }>`
    select next_at_ms from pacers where name = ${pacer}${tx.dialect.forUpdate}`;
  return row?.next_at_ms ?? 0;
}

export function keepNextSlotMs(tx: Tx, pacer: string, nextAtMs: number): Promise<number> {
  return tx.run`update pacers set next_at_ms = ${nextAtMs} where name = ${pacer}`;
}
