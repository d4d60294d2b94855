// A request with an Idempotency-Key takes effect once and is answered alike each time (interface-gaps.md §1).
import { iso } from "../clock.ts";
import { AppError, invalidParameter } from "../errors.ts";
import { sha256Hex } from "../ids.ts";
import type { Store, Tx } from "../store/store.ts";
import { answerUnder, forgetAnswersBefore, keepAnswer, takeKey, type KeyName, type StoredAnswer } from "./queries.ts";

const KEPT_MS = 24 * 60 * 60 * 1000;

export type Answer<Body> = { readonly status: number; readonly body: Body; readonly replayed: boolean };

/** What tells a repeated request from another one; `key` null = the caller sent none. */
export type Repeatable = {
  readonly workspace: number;
  readonly route: string;
  readonly key: string | null;
  readonly body: unknown;
};

/**
 * Runs `work` in one transaction with the record of its answer; a repetition gets the stored answer instead.
 * Only what `work` answers is stored: if it throws, the key is free again.
 * @throws AppError IDEMPOTENCY_KEY_REUSED if the key came with another body in the last 24 hours
 */
export function once<Body>(
  store: Store,
  request: Repeatable,
  status: number,
  work: (tx: Tx) => Promise<Body>,
): Promise<Answer<Body>> {
  const { workspace, route, key, body } = request;
  if (key === null) return store.write(async (tx) => ({ status, body: await work(tx), replayed: false }));
  const name: KeyName = { workspace, route, key };
  const bodyHash = sha256Hex(JSON.stringify(body));
  return store.write(async (tx) => {
    const taken = await takeKey(tx, name, bodyHash, iso(tx.nowMs - KEPT_MS));
    if (taken === 0) return replay<Body>(await answerUnder(tx, name), bodyHash, key);
    const answer = await work(tx);
    await keepAnswer(tx, name, status, JSON.stringify(answer));
    return { status, body: answer, replayed: false };
  });
}

/**
 * The caller's Idempotency-Key header, or null.
 * @throws AppError INVALID_PARAMETERS if it is not 1 to 255 printable ASCII characters
 */
export function idempotencyKey(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalidParameter("Idempotency-Key", "The key must be 1 to 255 printable ASCII characters.");
}

/** Forgets keys older than a day, a bounded number at a time; answers how many. */
export function forgetOldKeys(store: Store, most: number): Promise<number> {
  return store.write((tx) => forgetAnswersBefore(tx, iso(tx.nowMs - KEPT_MS), most));
}

function replay<Body>(stored: StoredAnswer | null, bodyHash: string, key: string): Answer<Body> {
  if (!stored)
    throw new AppError("IDEMPOTENCY_KEY_IN_USE", "The first request with this Idempotency-Key is still running.");
  if (stored.body_hash !== bodyHash) throw reused(key);
  return { status: stored.status, body: JSON.parse(stored.body) as Body, replayed: true };
}

function reused(key: string): AppError {
  return new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    `The Idempotency-Key ${key.slice(0, 40)} has been used with another body.`,
  );
}
