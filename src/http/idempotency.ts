// A request with an Idempotency-Key takes effect once and gets the same answer each time (docs/api.md).
import { AppError, invalidParameter } from "../base/errors.ts";
import { sha256Hex } from "../base/ids.ts";
import type { Secrets } from "../base/secrets.ts";
import { attempt, sharing } from "../store/shared-tx.ts";
import type { Store, Tx } from "../store/store.ts";
import { isErased, takeKey } from "./kept-answers.ts";
import { answerUnder, freeKey, keepAbout, keepAnswer, nameOfKey, type NewIdempotencyKey } from "./queries.ts";

const OPEN = { encrypt: (text: string) => text, decrypt: (text: string) => text };

/** Puts the request in the audit log, in the transaction of its change. */
type RequestNote = (tx: Tx, answer: unknown) => Promise<void>;

/** A POST that creates or sends, as its handler sees it. */
export type PostRequest = {
  readonly request: Request;
  readonly caller: {
    readonly workspace: number;
    readonly kind: string;
    readonly by: { readonly id: string | null };
    readonly note?: RequestNote | null;
  };
  readonly body: unknown;
  readonly set: { status?: number | string; headers: Record<string, string | number> };
  /** For an answer that must not be readable in the store. */
  readonly sealedBy?: Pick<Secrets, "encrypt" | "decrypt">;
  /** The longest key, in characters, if another service takes longer ones than we do. */
  readonly longestKey?: number;
};

/** `about`: the ids of the contacts that an answer names: it is deleted when one of them is erased. */
export type AnswerContacts<Body> = { readonly about?: (answer: Body) => readonly string[] };

type StatusAnswer<Body> = { readonly status: number; readonly body: Body };

type AnswerStatus<Body> = number | ((body: NoInfer<Body>) => number);

/**
 * Runs `work` in one transaction with the record of its answer, and answers with `status`, which may depend on the
 * body. A repetition (same caller, workspace, method, path, key and body, within 24 hours) gets the stored answer
 * instead, with the header Idempotent-Replayed. Only answers of `work` are stored: if it throws, the key is free again.
 * @throws AppError IDEMPOTENCY_KEY_REUSED if the key came with another body or from another caller, or its answer named
 * a person who was erased, INVALID_PARAMETERS if it is not a key
 */
export function answerOnce<Body>(
  store: Store,
  post: PostRequest & AnswerContacts<Body>,
  work: (tx: Tx) => Promise<Body>,
  status: AnswerStatus<Body>,
): Promise<Body> {
  return idempotent<null, Body>((tx) => work(tx), status)(store, post, null, true);
}

/**
 * As `answerOnce`, for work that shares a transaction with that of other requests; long work is done alone, or they
 * would wait for it. Made once for each kind of work.
 */
export function idempotent<Asked, Body>(work: (tx: Tx, input: Asked) => Promise<Body>, status: AnswerStatus<Body>) {
  const carryOut = once(work, status);
  const together = sharing(carryOut);
  return async (
    store: Store,
    post: PostRequest & AnswerContacts<Body>,
    input: Asked,
    takesLong = false,
  ): Promise<Body> => {
    const request = keyedRequest(post, input);
    const answer = takesLong
      ? await store.write(async (tx) => granted(await carryOut(tx, request)))
      : await store.writeTogether(together, request);
    post.set.status = answer.status;
    return answer.body;
  };
}

/** @throws the refusal */
function granted<Body>(answer: StatusAnswer<Body> | AppError): StatusAnswer<Body> {
  if (answer instanceof AppError) throw answer;
  return answer;
}

type AskedOnce<Asked, Body> = {
  readonly post: PostRequest & AnswerContacts<Body>;
  readonly input: Asked;
  /** Null = the request has no key, and is carried out however often it comes. */
  readonly keyed: NewIdempotencyKey | null;
};

function keyedRequest<Asked, Body>(post: PostRequest & AnswerContacts<Body>, input: Asked): AskedOnce<Asked, Body> {
  const { request, caller, body, longestKey } = post;
  const key = idempotencyKey(request.headers, longestKey);
  if (key === null) return { post, input, keyed: null };
  const route = `${request.method} ${pathOf(request)}`;
  const { workspace, kind, by } = caller;
  const bodyHash = sha256Hex(inOneOrder(body));
  return { post, input, keyed: { workspace, route, key, bodyHash, caller: `${kind} ${by.id}` } };
}

/** With the keys of objects in one order, so that bodies that differ only in it are the same. */
function inOneOrder(body: unknown): string {
  return JSON.stringify(body, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

type CarryOut<Asked, Body> = (tx: Tx, one: AskedOnce<Asked, Body>) => Promise<StatusAnswer<Body> | AppError>;

function once<Asked, Body>(work: (tx: Tx, input: Asked) => Promise<Body>, status: AnswerStatus<Body>) {
  const carryOut: CarryOut<Asked, Body> = async (tx, { input, post }) => {
    const body = await work(tx, input);
    if (post.caller.note) await post.caller.note(tx, body);
    return { status: typeof status === "number" ? status : status(body), body };
  };
  return (tx: Tx, one: AskedOnce<Asked, Body>) =>
    one.keyed ? underKey(tx, one.keyed, one, carryOut) : carryOut(tx, one);
}

/** Requests with the same key run one after the other. The key of a refused request is free again. */
function underKey<Asked, Body>(
  tx: Tx,
  key: NewIdempotencyKey,
  one: AskedOnce<Asked, Body>,
  carryOut: CarryOut<Asked, Body>,
): Promise<StatusAnswer<Body> | AppError> {
  return tx.inTurn(`key ${nameOfKey(key)}`, async () => {
    if (await isErased(tx, key)) return personErased();
    if (!(await takeKey(tx, key))) return replayed(tx, key, one.post);
    const answer = await attempt(tx, (own) => carryOut(own, one));
    if (answer instanceof AppError) await freeKey(tx, key);
    else await keep(tx, key, one.post, answer);
    return answer;
  });
}

async function keep<Body>(
  tx: Tx,
  key: NewIdempotencyKey,
  { sealedBy = OPEN, about }: PostRequest & AnswerContacts<Body>,
  { status, body }: StatusAnswer<Body>,
): Promise<void> {
  await Promise.all([
    keepAnswer(tx, { ...key, status, body: sealedBy.encrypt(JSON.stringify(body)) }),
    about && keepAbout(tx, key, about(body)),
  ]);
}

async function replayed<Body>(
  tx: Tx,
  key: NewIdempotencyKey,
  { sealedBy = OPEN, set }: PostRequest,
): Promise<StatusAnswer<Body> | AppError> {
  const stored = await answerUnder(tx, key);
  if (!stored || stored.status === 0)
    return new AppError("IDEMPOTENCY_KEY_IN_USE", "The first request with this Idempotency-Key is still running.");
  if (stored.bodyHash !== key.bodyHash) return reused(key.key);
  // The answer may contain facts hidden from this caller, and a second mail would be worse than a refusal.
  if (stored.caller !== key.caller) return othersKey(key.key);
  tx.afterCommit(() => (set.headers["idempotent-replayed"] = "true"));
  return { status: stored.status, body: JSON.parse(sealedBy.decrypt(stored.body)) as Body };
}

/**
 * A value that an answer needs and that takes long to find, looked up before the transaction. Its error is thrown when
 * the result is read: in `work`, so that a repetition gets its stored answer whatever has changed since.
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

function personErased(): AppError {
  const message =
    "The request with this Idempotency-Key was carried out; its answer named a person who has been erased since.";
  return new AppError("IDEMPOTENCY_KEY_REUSED", message);
}

function pathOf(request: Request): string {
  return new URL(request.url).pathname;
}

/**
 * The caller's Idempotency-Key header, or null. @throws AppError INVALID_PARAMETERS if it is not 1 to `longest`
 * printable ASCII characters
 */
export function idempotencyKey(headers: Headers, longest = LONGEST_KEY): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || isIdempotencyKey(key, longest)) return key;
  throw invalidParameter("Idempotency-Key", `The key must be 1 to ${longest} printable ASCII characters.`);
}

const LONGEST_KEY = 255;

/** 1 to `longest` printable ASCII characters. */
export function isIdempotencyKey(text: string, longest = LONGEST_KEY): boolean {
  return text.length <= longest && /^[\x20-\x7e]+$/.test(text);
}

function othersKey(key: string): AppError {
  return new AppError("IDEMPOTENCY_KEY_REUSED", `Another caller has used the Idempotency-Key ${key.slice(0, 40)}.`);
}

function reused(key: string): AppError {
  return new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    `The Idempotency-Key ${key.slice(0, 40)} has been used with another body.`,
  );
}
