// The SQL of the pacer.
import type { Tx } from "../store/store.ts";

const NAME = "outgoing";

/**
 * The earliest moment of the next slot, in milliseconds since 1970. Other processes wait until this transaction ends.
 */
export async function lockBucket(tx: Tx): Promise<number> {
  const row = await tx.get<{ readonly next_at_ms: number }>`
    select next_at_ms from pacers where name = ${NAME}${tx.dialect.forUpdate}`;
  return row?.next_at_ms ?? 0;
}

export function keepNextSlotMs(tx: Tx, nextAtMs: number): Promise<number> {
  return tx.run`update pacers set next_at_ms = ${nextAtMs} where name = ${NAME}`;
}
