// A message submitted twice within a day is accepted once: by its Idempotency-Key, else its Message-ID, for each of its
// recipients.
import type { Mailbox } from "../addresses.ts";
import { accept } from "../emails/accept.ts";
import type { MailRequest as AnyMailRequest } from "../emails/door/request.ts";
import type { Content } from "../emails/content/queries.ts";
import { AppError } from "../errors.ts";
import { takeKey } from "../http/kept-answers.ts";
import { answerUnder, freeKey, keepAnswer, nameOfKey, type NewKey } from "../http/queries.ts";
import { sha256Hex } from "../ids.ts";
import { attempt } from "../store/shared-tx.ts";
import type { Tx } from "../store/store.ts";

const ROUTE = "SMTP";

/** A submitted message, for the addresses of its envelope. */
type MailRequest = AnyMailRequest<{ readonly addresses: readonly Mailbox[] }> & { readonly content: Content };

/**
 * What tells a message that is submitted again. `fingerprint`: a digest of the message. The same key with another one
 * is refused; the same Message-ID with another one is another message.
 */
export type Idempotency = {
  readonly kind: "key" | "message-id";
  readonly value: string;
  readonly fingerprint: string;
};

/** `idempotency` null = every message is a new one. */
export type Submission = { readonly request: MailRequest; readonly idempotency: Idempotency | null };

/**
 * Queues a mail for each recipient of a message who has none of it yet; answers the ids of all, in the order of the
 * recipients. Whether the sender may send is for the caller to see to: it counts even if nothing of the message is new.
 * @throws AppError IDEMPOTENCY_KEY_REUSED, and as the door; then nothing of it is queued for anybody
 */
export async function acceptOnce(tx: Tx, submission: Submission): Promise<readonly string[] | AppError> {
  const keys = keysOf(submission);
  const names = [...keys.values()].map(nameOfKey).sort();
  const carryOut = async () => {
    const taken = await Promise.all(
      [...keys].map(async ([address, key]) => ((await takeKey(tx, key)) ? [address] : [])),
    );
    const free = new Set(taken.flat());
    const ids = await attempt(tx, (own) => acceptNew(own, submission, keys, free));
    const settle = async (address: string) => {
      const key = keys.get(address) as NewKey;
      if (ids instanceof AppError) await freeKey(tx, key);
      else await keepAnswer(tx, { ...key, status: 250, body: ids.get(address) as string });
    };
    await Promise.all([...free].map(settle));
    return ids instanceof AppError
      ? ids
      : submission.request.to.addresses.map(({ address }) => ids.get(address) as string);
  };
  // In one order, so that two messages never wait for each other.
  return names.reduceRight((work, name) => () => tx.inTurn(`key ${name}`, work), carryOut)();
}

/** By address; none if the message cannot be told from another one. */
type Keys = ReadonlyMap<string, NewKey>;
type Ids = ReadonlyMap<string, string>;

/** The mails of those who have one, and of the others new ones. */
async function acceptNew(tx: Tx, submission: Submission, keys: Keys, free: ReadonlySet<string>): Promise<Ids> {
  const { request, idempotency } = submission;
  const ids = new Map<string, string>();
  for (const [address, key] of keys) {
    const taken = free.has(address) ? null : await answerUnder(tx, key);
    if (!taken) continue;
    if (idempotency?.kind === "key" && taken.bodyHash !== idempotency.fingerprint) throw reused();
    ids.set(address, taken.body);
  }
  const addresses = request.to.addresses.filter(({ address }) => !ids.has(address));
  const mails = addresses.length === 0 ? [] : await accept(tx, { ...request, to: { addresses } });
  mails.forEach(({ email }, index) => ids.set((addresses[index] as Mailbox).address, email));
  return ids;
}

function keysOf({ request, idempotency }: Submission): Keys {
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

function reused(): AppError {
  return new AppError("IDEMPOTENCY_KEY_REUSED", "The Idempotency-Key has been used with another message.");
}
