// A held installation: no mail leaves and no webhook is called until the operator has seen the queue and releases it.
// A restored installation is held, since most of the mail queued in its backup had left before the loss.
import type { Reader, Tx } from "./store.ts";

/** The moment of the hold; null = the installation is not held. */
export async function heldSince(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ since: string | null }>`select held_at as since from installation where one = 1`;
  return row?.since ?? null;
}

/** An installation that is held already keeps its earlier moment. */
export async function holdAll(tx: Tx): Promise<void> {
  await tx.run`update installation set held_at = coalesce(held_at, ${tx.now})`;
}

/** Answers whether it was held. Servers notice within seconds. */
export async function releaseAll(tx: Tx): Promise<boolean> {
  return (await tx.run`update installation set held_at = null where held_at is not null`) > 0;
}
