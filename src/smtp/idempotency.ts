// A message submitted twice within a day is accepted once: by its Idempotency-Key, else its Message-ID, for each of its recipients.
import type { Mailbox } from "../addresses.ts";
import { accept, type AcceptedMail } from "../emails/accept.ts";
import type { MailRequest as AnyMailRequest } from "../emails/door/request.ts";
import type { Content } from "../emails/content/queries.ts";
import { AppError } from "../errors.ts";
import { keptSince } from "../http/kept-answers.ts";
import {
  answerUnder,
  freeKey,
  keepAnswers,
  takeKeys,
  type KeptAnswer,
  type KeyName,
  type NewKey,
} from "../http/queries.ts";
import { sha256Hex } from "../ids.ts";
import type { Tx } from "../store/store.ts";

const ROUTE = "SMTP";

/** A submitted message, for the addresses of its envelope. */
type MailRequest = AnyMailRequest<{ readonly addresses: readonly Mailbox[] }> & { readonly content: Content };

/**
 * What tells a message that is submitted again. `fingerprint`: a digest of the message. The same key with another one is refused; the
 * same Message-ID with another one is another message.
 */
export type Idempotency = {
  readonly kind: "key" | "message-id";
  readonly value: string;
  readonly fingerprint: string;
};

/** `idempotency` null = every message is a new one. */
export type Submission = { readonly request: MailRequest; readonly idempotency: Idempotency | null };

/** The ids of a message's mails, in the order of its recipients, or why it is refused. */
type Answer = readonly string[] | AppError;

/**
 * Queues a mail for each recipient of each message who has none of it yet. Refused are messages as the door refuses them, and with
 * IDEMPOTENCY_KEY_REUSED; then nothing of them is queued for anybody. Whether their senders may send is for the caller to see to: it counts
 * even if nothing of a message is new.
 */
export async function acceptEachOnce(tx: Tx, submissions: readonly Submission[]): Promise<Answer[]> {
  const all = submissions.map((one): Keyed => ({ ...one, keys: keysOf(one) }));
  const answers = new Map<Keyed, Answer>();
  for (let left = all; left.length > 0; left = left.filter((one) => !answers.has(one)))
    for (const [one, answer] of await acceptRound(tx, withoutRepetitions(left))) answers.set(one, answer);
  return all.map((one) => answers.get(one) as Answer);
}

type Keyed = Submission & {
  /** By address; none if the message cannot be told from another one. */
  readonly keys: ReadonlyMap<string, NewKey>;
};

/** Of messages with the same key, the first: the others come after it, and find what it has left. */
function withoutRepetitions(submissions: readonly Keyed[]): Keyed[] {
  const seen = new Set<string>();
  return submissions.filter(({ keys }) => {
    const names = [...keys.values()].map(nameOf);
    const isFirst = names.every((name) => !seen.has(name));
    names.forEach((name) => seen.add(name));
    return isFirst;
  });
}

async function acceptRound(tx: Tx, round: readonly Keyed[]): Promise<Map<Keyed, Answer>> {
  const free = await freeKeys(tx, round);
  const answers = new Map<Keyed, Answer>();
  const known = new Map<Keyed, Ids>();
  for (const one of round) {
    const ids = await idsTaken(tx, one, free);
    if (ids instanceof AppError) answers.set(one, ids);
    else known.set(one, ids);
  }
  for (const [one, ids] of await queue(tx, known)) answers.set(one, ids);
  await keepOrFree(tx, round, answers, free);
  return answers;
}

type Ids = ReadonlyMap<string, string>;

/** Takes the keys that are free, in one order, so that two transactions never wait for each other. */
async function freeKeys(tx: Tx, round: readonly Keyed[]): Promise<ReadonlySet<string>> {
  const keys = round.flatMap(({ keys: own }) => [...own.values()]);
  const inOrder = keys.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return new Set((await takeKeys(tx, inOrder, keptSince(tx.nowMs))).map(nameOf));
}

/** The mails of those who have one, by address. */
async function idsTaken(tx: Tx, { keys, idempotency }: Keyed, free: ReadonlySet<string>): Promise<Ids | AppError> {
  const ids = new Map<string, string>();
  for (const [address, key] of keys) {
    if (free.has(nameOf(key))) continue;
    const taken = await answerUnder(tx, key);
    if (idempotency?.kind === "key" && taken?.bodyHash !== idempotency.fingerprint) return reused();
    ids.set(address, taken?.body ?? "");
  }
  return ids;
}

/** Queues what is new of each message. */
async function queue(tx: Tx, known: ReadonlyMap<Keyed, Ids>): Promise<Map<Keyed, Answer>> {
  const requests = new Map<Keyed, MailRequest>();
  for (const [one, ids] of known) {
    const addresses = one.request.to.addresses.filter(({ address }) => !ids.has(address));
    if (addresses.length > 0) requests.set(one, { ...one.request, to: { addresses } });
  }
  const accepted = (await accept(tx, [...requests.values()])).values();
  const mails = new Map([...requests.keys()].map((one) => [one, accepted.next().value]));
  return new Map([...known].map(([one, ids]) => [one, idsOf(one, ids, mails.get(one) ?? [])]));
}

function idsOf({ request }: Keyed, known: Ids, mails: readonly AcceptedMail[] | AppError): Answer {
  if (mails instanceof AppError) return mails;
  const fresh = mails.values();
  return request.to.addresses.map(({ address }) => known.get(address) ?? (fresh.next().value as AcceptedMail).email);
}

/** Under each key that was taken its mail is kept; those of a refused message are free again. */
async function keepOrFree(
  tx: Tx,
  round: readonly Keyed[],
  answers: ReadonlyMap<Keyed, Answer>,
  free: ReadonlySet<string>,
): Promise<void> {
  const kept: KeptAnswer[] = [];
  for (const one of round) {
    const { request, keys } = one;
    const answer = answers.get(one) as Answer;
    for (const [index, { address }] of request.to.addresses.entries()) {
      const key = keys.get(address);
      if (!key || !free.has(nameOf(key))) continue;
      if (answer instanceof AppError) await freeKey(tx, key);
      else kept.push({ ...key, status: 250, body: answer[index] as string });
    }
  }
  await keepAnswers(tx, kept);
}

function keysOf({ request, idempotency }: Submission): ReadonlyMap<string, NewKey> {
  if (idempotency === null) return new Map();
  const { kind, value, fingerprint } = idempotency;
  const [name, bodyHash] = kind === "key" ? [value, fingerprint] : [`${value}\0${fingerprint}`, ""];
  const { workspace } = request.sender;
  return new Map(
    request.to.addresses.map(({ address }) => [
      address,
      { workspace, route: ROUTE, key: sha256Hex(`${kind}\0${name}\0${address}`), bodyHash, caller: null },
    ]),
  );
}

function nameOf({ workspace, key }: Pick<KeyName, "workspace" | "key">): string {
  return `${workspace} ${key}`;
}

function reused(): AppError {
  return new AppError("IDEMPOTENCY_KEY_REUSED", "The Idempotency-Key has been used with another message.");
}
