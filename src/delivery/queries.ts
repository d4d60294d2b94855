// The SQL of the pacer.
import { sql } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";

const NAME = "outgoing";

type BucketRow = {
  /** The earliest moment of the next slot, in milliseconds since 1970; 0 = nothing has ever left. */
  readonly next_at_ms: number;
  /** What the store's own clock says; null if it has none. */
  readonly now_ms: number | null;
};

/** Other processes wait until this transaction is over; the store's clock is looked at when the wait is. */
export async function lockBucket(tx: Tx): Promise<BucketRow> {
  const row = await tx.get<BucketRow>`
    select next_at_ms, ${tx.dialect.sharedNowMs ?? sql`null`} as now_ms
    from (select next_at_ms from pacers where name = ${NAME}${tx.dialect.forUpdate}) as locked`;
  return row ?? { next_at_ms: 0, now_ms: null };
}

export function keepNextSlotMs(tx: Tx, nextAtMs: number): Promise<number> {
  return tx.run`update pacers set next_at_ms = ${nextAtMs} where name = ${NAME}`;
}
