// How long answers are kept for repeated requests, and which of them are deleted sooner.
import { DAY_MS, iso } from "../base/clock.ts";
import { sha256Hex } from "../base/ids.ts";
import type { Store, Tx } from "../store/store.ts";
import { loader } from "../store/loads.ts";
import {
  answersAbout,
  emptyAnswer,
  forgetAnswersBefore,
  keysAmong,
  nameOfKey,
  takeKeys,
  type KeyName,
  type NewIdempotencyKey,
} from "./queries.ts";

const KEPT_MS = DAY_MS;

/**
 * Forgets some of the answers that name a contact who is erased; answers how many. Their keys stay taken for their day,
 * as hashes, since they may hold the address: a repetition would bring the person back, and mail the others twice.
 */
export async function forgetAnswersAbout(tx: Tx, contact: number, most: number): Promise<number> {
  const names = await answersAbout(tx, contact, most);
  for (const name of names) await emptyAnswer(tx, name, keptKey(name.key));
  return names.length;
}

/** Takes a key for its request; false = another request has it. */
export const takeKey = loader<NewIdempotencyKey, boolean>({
  stage: "key",
  name: nameOfKey,
  ask: async (tx, keys) => {
    const taken = new Set((await takeKeys(tx, keys, keptSince(tx.nowMs))).map(nameOfKey));
    return keys.map((key) => taken.has(nameOfKey(key)));
  },
});

/** Whether the answer under a key named a person who was erased. */
export const isErased = loader<KeyName, boolean>({
  stage: "key",
  name: nameOfKey,
  ask: async (tx, names) => {
    const kept = names.map((name) => ({ ...name, key: keptKey(name.key) }));
    const found = new Set((await keysAmong(tx, kept, keptSince(tx.nowMs))).map(nameOfKey));
    return kept.map((name) => found.has(nameOfKey(name)));
  },
});

function keptKey(key: string): string {
  return `erased:${sha256Hex(key)}`;
}

/** Keys that were taken before this moment no longer count. */
function keptSince(nowMs: number): string {
  return iso(nowMs - KEPT_MS);
}

/** Forgets keys older than a day, a bounded number at a time; answers how many. */
export function forgetOldKeys(store: Store, most: number): Promise<number> {
  return store.write((tx) => forgetAnswersBefore(tx, keptSince(tx.nowMs), most));
}
