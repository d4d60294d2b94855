// A request with an Idempotency-Key takes effect once and gets the same answer each time (docs/api.md).
import { DAY_MS, iso } from "../clock.ts";
import { AppError, invalidParameter } from "../errors.ts";
import { sha256Hex } from "../ids.ts";
import type { Secrets } from "../secrets.ts";
import type { Store, Tx } from "../store/store.ts";
import {
  answersAbout,
  answerUnder,
  emptyAnswer,
  forgetAnswersBefore,
  isTaken,
  keepAbout,
  keepAnswer,
  takeKey,
  type KeyName,
  type StoredAnswer,
} from "./queries.ts";

const OPEN = { encrypt: (text: string) => text, decrypt: (text: string) => text };
const KEPT_MS = DAY_MS;

/** Puts the request on the audit list, in the transaction of its change. */
type Note = (tx: Tx, answer: unknown) => Promise<void>;

/** A POST that creates or sends, as its handler has it. */
export type Post = {
  readonly request: Request;
  readonly caller: { readonly workspace: number; readonly note?: Note | null };
  readonly body: unknown;
  readonly set: { status?: number | string; headers: Record<string, string | number> };
  /** For an answer that must not lie open in the store. */
  readonly sealedBy?: Pick<Secrets, "encrypt" | "decrypt">;
};

/** The ids of the contacts that an answer names: it goes when one of them is erased. */
export type About<Body> = { readonly about?: (answer: Body) => readonly string[] };

type Answer<Body> = { readonly status: number; readonly body: Body };

/**
 * Runs `work` in one transaction with the record of its answer, and answers with `status`, which may depend on the body. A
 * repetition (same workspace, method, path, key and body, within 24 hours) gets the stored answer instead, with the header
 * Idempotent-Replayed. Only what `work` answers is stored: if it throws, the key is free again.
 * @throws AppError IDEMPOTENCY_KEY_REUSED if the key came with another body, or its answer named a person who was erased, INVALID_PARAMETERS if it is not a key
 */
export async function answerOnce<Body>(
  store: Store,
  post: Post & About<Body>,
  work: (tx: Tx) => Promise<Body>,
  status: number | ((body: NoInfer<Body>) => number),
): Promise<Body> {
  const answerOf = async (tx: Tx): Promise<Answer<Body>> => {
    const body = await work(tx);
    await post.caller.note?.(tx, body);
    return { status: typeof status === "number" ? status : status(body), body };
  };
  const key = idempotencyKey(post.request.headers);
  const answer = await store.write((tx) => (key === null ? answerOf(tx) : underKey(tx, post, key, answerOf)));
  post.set.status = answer.status;
  return answer.body;
}

/**
 * What an answer needs and takes long to find, looked up before the transaction. What it threw is thrown where the result is
 * asked for: in `work`, so that a repetition gets its stored answer whatever has changed since.
 */
export async function foundBefore<Found>(find: () => Promise<Found>): Promise<() => Found> {
  try {
    const found = await find();
    return () => found;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

async function underKey<Body>(
  tx: Tx,
  { request, caller, body, set, about, sealedBy = OPEN }: Post & About<Body>,
  key: string,
  answerOf: (tx: Tx) => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  const name: KeyName = { workspace: caller.workspace, route: `${request.method} ${pathOf(request)}`, key };
  const bodyHash = sha256Hex(JSON.stringify(body));
  if (await isTaken(tx, { ...name, key: keptKey(key) }, keptSince(tx.nowMs))) throw erased();
  if ((await takeKey(tx, name, bodyHash, keptSince(tx.nowMs))) === 0) {
    const stored = replay<Body>(await answerUnder(tx, name), bodyHash, { key, sealedBy });
    tx.afterCommit(() => (set.headers["idempotent-replayed"] = "true"));
    return stored;
  }
  const answer = await answerOf(tx);
  await keepAnswer(tx, name, answer.status, sealedBy.encrypt(JSON.stringify(answer.body)));
  if (about) await keepAbout(tx, name, about(answer.body));
  return answer;
}

/**
 * A part of the answers that name a contact who is erased; answers how many. Their keys stay taken for their day, as hashes, since
 * they may hold the address: a repetition would bring the person back, and mail the others twice.
 */
export async function forgetAnswersAbout(tx: Tx, contact: number, most: number): Promise<number> {
  const names = await answersAbout(tx, contact, most);
  for (const name of names) await emptyAnswer(tx, name, keptKey(name.key));
  return names.length;
}

function keptKey(key: string): string {
  return `erased:${sha256Hex(key)}`;
}

function erased(): AppError {
  const message =
    "The request with this Idempotency-Key was carried out; its answer named a person who has been erased since.";
  return new AppError("IDEMPOTENCY_KEY_REUSED", message);
}

function pathOf(request: Request): string {
  return new URL(request.url).pathname;
}

/** The caller's Idempotency-Key header, or null. @throws AppError INVALID_PARAMETERS if it is not 1 to 255 printable ASCII characters */
export function idempotencyKey(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || isIdempotencyKey(key)) return key;
  throw invalidParameter("Idempotency-Key", "The key must be 1 to 255 printable ASCII characters.");
}

/** 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return /^[\x20-\x7e]{1,255}$/.test(text);
}

/** What was taken before counts no more. */
export function keptSince(nowMs: number): string {
  return iso(nowMs - KEPT_MS);
}

/** Forgets keys older than a day, a bounded number at a time; answers how many. */
export function forgetOldKeys(store: Store, most: number): Promise<number> {
  return store.write((tx) => forgetAnswersBefore(tx, keptSince(tx.nowMs), most));
}

type Seal = { readonly key: string; readonly sealedBy: NonNullable<Post["sealedBy"]> };

function replay<Body>(stored: StoredAnswer | null, bodyHash: string, { key, sealedBy }: Seal): Answer<Body> {
  if (!stored)
    throw new AppError("IDEMPOTENCY_KEY_IN_USE", "The first request with this Idempotency-Key is still running.");
  if (stored.bodyHash !== bodyHash) throw reused(key);
  return { status: stored.status, body: JSON.parse(sealedBy.decrypt(stored.body)) as Body };
}

function reused(key: string): AppError {
  return new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    `The Idempotency-Key ${key.slice(0, 40)} has been used with another body.`,
  );
}
