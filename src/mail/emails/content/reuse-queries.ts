// The SQL of contents that are reused, and of contents that were emptied (emails/pruning).
import { HOUR_MS, iso } from "../../../base/clock.ts";
import type { Reader, Tx } from "../../../store/store.ts";

/** The use is noted no more often: the shortest retention period is a day. */
const NOTED_EVERY_MS = 12 * HOUR_MS;

type ContentUseRow = { readonly content: number; readonly usedAt: string | null };

/** The shared content for one more mail; null = none has this digest, or its body was just deleted. */
export async function reuseShared(tx: Tx, workspace: number, digest: string): Promise<number | null> {
  const found = await tx.get<ContentUseRow>`
    select content, used_at as "usedAt" from shared_contents where workspace = ${workspace} and digest = ${digest}`;
  if (!found || isFresh(tx, found.usedAt)) return found?.content ?? null;
  const noted = await tx.run`
    update shared_contents set used_at = ${tx.now} where workspace = ${workspace} and digest = ${digest}`;
  return noted > 0 ? found.content : null;
}

function isFresh(tx: Tx, usedAt: string | null): boolean {
  return usedAt !== null && usedAt > iso(tx.nowMs - NOTED_EVERY_MS);
}

/** Uses the content for a mail that repeats another one. False = its body was deleted. */
export async function reuseContent(tx: Tx, content: number): Promise<boolean> {
  const kept = await tx.get<{ usedAt: string | null }>`
    select reused_at as "usedAt" from contents where seq = ${content} and body_gone_at is null`;
  if (!kept || isFresh(tx, kept.usedAt)) return kept !== null;
  return (await tx.run`update contents set reused_at = ${tx.now} where seq = ${content} and body_gone_at is null`) > 0;
}

/** When its body was deleted; null = it is there. */
export async function bodyGoneAt(reader: Reader, content: number): Promise<string | null> {
  const row = await reader.get<{ at: string | null }>`select body_gone_at as at from contents where seq = ${content}`;
  return row?.at ?? null;
}
