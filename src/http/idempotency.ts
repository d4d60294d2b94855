// A request with an Idempotency-Key takes effect once and gets the same answer each time (docs/api.md).
import { AppError, invalidParameter } from "../errors.ts";
import { sha256Hex } from "../ids.ts";
import type { Secrets } from "../secrets.ts";
import type { Store, BatchHandler, Tx } from "../store/store.ts";
import {
  answerUnder,
  keepAbout,
  keepAnswers,
  keysAmong,
  freeKey,
  takeKeys,
  type KeptAnswer,
  type KeyName,
  type NewKey,
} from "./queries.ts";
import { keptKey, keptSince } from "./kept-answers.ts";

const OPEN = { encrypt: (text: string) => text, decrypt: (text: string) => text };

/** Puts the request on the audit list, in the transaction of its change. */
type Note = (tx: Tx, answer: unknown) => Promise<void>;

/** A POST that creates or sends, as its handler has it. */
export type Post = {
  readonly request: Request;
  readonly caller: {
    readonly workspace: number;
    readonly kind: string;
    readonly by: { readonly id: string | null };
    readonly note?: Note | null;
  };
  readonly body: unknown;
  readonly set: { status?: number | string; headers: Record<string, string | number> };
  /** For an answer that must not lie open in the store. */
  readonly sealedBy?: Pick<Secrets, "encrypt" | "decrypt">;
};

/** The ids of the contacts that an answer names: it goes when one of them is erased. */
export type About<Body> = { readonly about?: (answer: Body) => readonly string[] };

type Answer<Body> = { readonly status: number; readonly body: Body };

type Status<Body> = number | ((body: NoInfer<Body>) => number);

/**
 * Runs `work` in one transaction with the record of its answer, and answers with `status`, which may depend on the body. A
 * repetition (same caller, workspace, method, path, key and body, within 24 hours) gets the stored answer instead, with the header
 * Idempotent-Replayed. Only what `work` answers is stored: if it throws, the key is free again.
 * @throws AppError IDEMPOTENCY_KEY_REUSED if the key came with another body or from another caller, or its answer named a person who was erased, INVALID_PARAMETERS if it is not a key
 */
export async function answerOnce<Body>(
  store: Store,
  post: Post & About<Body>,
  work: (tx: Tx) => Promise<Body>,
  status: Status<Body>,
): Promise<Body> {
  const alone = idempotent<typeof work, Body>(async (tx, [only]) => [await (only as typeof work)(tx)], status);
  return alone(store, post, work, true);
}

/**
 * As `answerOnce`, for work that is done together with that of others; what takes long is done alone, or they would wait for it. Made
 * once for each kind of work.
 */
export function idempotent<Asked, Body>(together: BatchHandler<Asked, Body>, status: Status<Body>) {
  const all = once(together, status);
  return async (store: Store, post: Post & About<Body>, input: Asked, takesLong = false): Promise<Body> => {
    const request = asked(post, input);
    const answer = takesLong
      ? await store.write(async (tx) => granted((await all(tx, [request]))[0]))
      : await store.writeTogether(all, request);
    post.set.status = answer.status;
    return answer.body;
  };
}

/** @throws the refusal */
function granted<Body>(answer: Answer<Body> | AppError | undefined): Answer<Body> {
  if (answer === undefined || answer instanceof AppError) throw answer;
  return answer;
}

type AskedOnce<Asked, Body> = {
  readonly post: Post & About<Body>;
  readonly input: Asked;
  /** Null = it has no key, and is carried out however often it comes. */
  readonly keyed: NewKey | null;
};

function asked<Asked, Body>(post: Post & About<Body>, input: Asked): AskedOnce<Asked, Body> {
  const { request, caller, body } = post;
  const key = idempotencyKey(request.headers);
  if (key === null) return { post, input, keyed: null };
  const route = `${request.method} ${pathOf(request)}`;
  const { workspace, kind, by } = caller;
  const bodyHash = sha256Hex(inOneOrder(body));
  return { post, input, keyed: { workspace, route, key, bodyHash, caller: `${kind} ${by.id}` } };
}

/** Its keys in one order: two bodies that differ in nothing else are the same. */
function inOneOrder(body: unknown): string {
  return JSON.stringify(body, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

function once<Asked, Body>(
  together: BatchHandler<Asked, Body>,
  status: Status<Body>,
): BatchHandler<AskedOnce<Asked, Body>, Answer<Body>> {
  type One = AskedOnce<Asked, Body>;
  const carryOut = async (tx: Tx, requests: readonly One[]): Promise<Map<One, Answer<Body> | AppError>> => {
    if (requests.length === 0) return new Map();
    const bodies = await together(
      tx,
      requests.map(({ input }) => input),
    );
    const answers = new Map<One, Answer<Body> | AppError>();
    for (const [index, one] of requests.entries()) {
      const body = bodies[index] as Body | AppError;
      if (!(body instanceof AppError)) await one.post.caller.note?.(tx, body);
      answers.set(
        one,
        body instanceof AppError ? body : { status: typeof status === "number" ? status : status(body), body },
      );
    }
    return answers;
  };
  return async (tx, requests) => {
    const { fresh, taken, erased } = await sortedOut(tx, requests);
    const answers = await carryOut(tx, fresh);
    await keep(tx, answers);
    for (const one of taken) answers.set(one, await replayed(tx, one));
    for (const one of erased) answers.set(one, personErased());
    return requests.map((one) => answers.get(one) as Answer<Body> | AppError);
  };
}

type Keyed<Asked, Body> = AskedOnce<Asked, Body> & { readonly keyed: NonNullable<AskedOnce<Asked, Body>["keyed"]> };

type Sorted<Asked, Body> = {
  readonly fresh: readonly AskedOnce<Asked, Body>[];
  /** Another request has the key. */
  readonly taken: readonly Keyed<Asked, Body>[];
  /** The answer under the key named a person who was erased. */
  readonly erased: readonly Keyed<Asked, Body>[];
};

function isKeyed<Asked, Body>(one: AskedOnce<Asked, Body>): one is Keyed<Asked, Body> {
  return one.keyed !== null;
}

/** Takes the keys that are free, in one order, so that two transactions never wait for each other. */
async function sortedOut<Asked, Body>(
  tx: Tx,
  requests: readonly AskedOnce<Asked, Body>[],
): Promise<Sorted<Asked, Body>> {
  const keyed = requests.filter(isKeyed);
  if (keyed.length === 0) return { fresh: requests, taken: [], erased: [] };
  // Of the same key, the first.
  const names = new Map(keyed.toReversed().map((one) => [textOf(one), one.keyed]));
  const gone = await erasedAmong(tx, names);
  const wanted = [...names].flatMap(([text, name]) => (gone.has(text) ? [] : [name]));
  const free = new Set((await takeKeys(tx, wanted.sort(byName), keptSince(tx.nowMs))).map(nameText));
  const [erased, left] = [keyed.filter((one) => gone.has(textOf(one))), keyed.filter((one) => !gone.has(textOf(one)))];
  // Of two requests with the same key, the second comes after the first.
  const taken = left.filter((one) => !free.delete(textOf(one)));
  const apart = new Set<AskedOnce<Asked, Body>>([...erased, ...taken]);
  return { fresh: requests.filter((one) => !apart.has(one)), taken, erased };
}

/** The names under which an answer named a person who was erased. */
async function erasedAmong(tx: Tx, names: ReadonlyMap<string, KeyName>): Promise<ReadonlySet<string>> {
  const kept = new Map([...names].map(([text, name]) => [text, { ...name, key: keptKey(name.key) }]));
  const found = new Set((await keysAmong(tx, [...kept.values()], keptSince(tx.nowMs))).map(nameText));
  return new Set([...kept].flatMap(([text, name]) => (found.has(nameText(name)) ? [text] : [])));
}

function textOf<Asked, Body>({ keyed }: Keyed<Asked, Body>): string {
  return nameText(keyed);
}

function nameText({ workspace, route, key }: KeyName): string {
  return `${workspace} ${route} ${key}`;
}

function byName(one: KeyName, other: KeyName): number {
  return nameText(one) < nameText(other) ? -1 : 1;
}

/** Of a refused request the key is free again. */
async function keep<Asked, Body>(
  tx: Tx,
  answers: ReadonlyMap<AskedOnce<Asked, Body>, Answer<Body> | AppError>,
): Promise<void> {
  const kept: KeptAnswer[] = [];
  for (const [one, answer] of answers) {
    if (!isKeyed(one)) continue;
    const { sealedBy = OPEN } = one.post;
    if (answer instanceof AppError) await freeKey(tx, one.keyed);
    else kept.push({ ...one.keyed, status: answer.status, body: sealedBy.encrypt(JSON.stringify(answer.body)) });
  }
  await keepAnswers(tx, kept.toSorted(byName));
  for (const [one, answer] of answers) {
    if (!isKeyed(one) || answer instanceof AppError || !one.post.about) continue;
    await keepAbout(tx, one.keyed, one.post.about(answer.body));
  }
}

async function replayed<Asked, Body>(tx: Tx, { keyed, post }: Keyed<Asked, Body>): Promise<Answer<Body> | AppError> {
  const stored = await answerUnder(tx, keyed);
  const { sealedBy = OPEN, set } = post;
  if (!stored || stored.status === 0)
    return new AppError("IDEMPOTENCY_KEY_IN_USE", "The first request with this Idempotency-Key is still running.");
  if (stored.bodyHash !== keyed.bodyHash) return reused(keyed.key);
  // The answer may say what this caller may not know, and a second mail would be worse than a refusal.
  if (stored.caller !== keyed.caller) return othersKey(keyed.key);
  tx.afterCommit(() => (set.headers["idempotent-replayed"] = "true"));
  return { status: stored.status, body: JSON.parse(sealedBy.decrypt(stored.body)) as Body };
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

function personErased(): AppError {
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

function othersKey(key: string): AppError {
  return new AppError("IDEMPOTENCY_KEY_REUSED", `Another caller has used the Idempotency-Key ${key.slice(0, 40)}.`);
}

function reused(key: string): AppError {
  return new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    `The Idempotency-Key ${key.slice(0, 40)} has been used with another body.`,
  );
}
