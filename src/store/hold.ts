// An installation that is held: no mail leaves and no webhook is called, until somebody who has seen what waits lets
// them go. A restored one is held, since most of what its backup has queued had left before it was lost.
import type { Reader, Tx } from "./store.ts";

/** Since when; null = it is not held. */
export async function heldSince(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ since: string | null }>`select held_at as since from installation where one = 1`;
  return row?.since ?? null;
}

/** What is held already stays held since then. */
export async function holdAll(tx: Tx): Promise<void> {
  await tx.run`update installation set held_at = coalesce(held_at, ${tx.now})`;
}

/** Answers whether it was held. Servers notice within seconds. */
export async function releaseAll(tx: Tx): Promise<boolean> {
  return (await tx.run`update installation set held_at = null where held_at is not null`) > 0;
}
