// Accepting a submitted message, in the present state of keys and workspaces. A message that is repeated within a day
// is accepted once: by its Idempotency-Key, else its Message-ID, for each of its recipients.
import { domainOf } from "../../base/addresses.ts";
import { refuseElsewhere, refuseExpired } from "../../tenant/access/key-limits.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { callerWith } from "../../tenant/access/key-set.ts";
import { domainToSendFrom } from "../../tenant/domains/domain.ts";
import { accept } from "../emails/accept.ts";
import type { MailContent } from "../emails/content/queries.ts";
import type { MailRequest as AnyMailRequest, Recipient } from "../emails/door/request.ts";
import { AppError } from "../../base/errors.ts";
import { takeKey } from "../../http/kept-answers.ts";
import { answerUnder, freeKey, keepAnswer, nameOfKey, type NewIdempotencyKey } from "../../http/queries.ts";
import { newId, sha256Hex } from "../../base/ids.ts";
import { lookup } from "../../store/loads.ts";
import { attempt } from "../../store/shared-tx.ts";
import type { Tx } from "../../store/store.ts";
import { recipientsIn } from "./recipients.ts";
import type { Idempotency, SmtpSubmission } from "./submitted.ts";

const ROUTE = "SMTP";

export type SubmittedMessage = {
  /** The key of the session. */
  readonly key: string;
  readonly submitted: SmtpSubmission;
  /** The client's address; null = it has disconnected. */
  readonly client: string | null;
  /** The recipients of the envelope, each once. */
  readonly recipients: readonly string[];
  /** Whether opens and clicks are tracked, if the workspace wants that. */
  readonly tracking: boolean;
};

const callerOf = lookup(
  (key: string) => key,
  (tx, key) => callerWith(tx, key),
);

/**
 * Queues a mail for each recipient of a message who has none of it yet; answers the ids of all, in the order of the
 * recipients. The present state counts, even if nothing of the message is new: a key may have been revoked or bound to
 * other addresses, and a workspace disabled, while the connection was open.
 * @throws AppError INVALID_API_KEY, FORBIDDEN, WORKSPACE_DISABLED, DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED for From or
 * Sender, IDEMPOTENCY_KEY_REUSED, and errors of the door; then no mail of it is queued
 */
export async function acceptHandedIn(
  tx: Tx,
  { key, client, ...message }: SubmittedMessage,
): Promise<readonly string[] | AppError> {
  const caller = await callerOf(tx, key);
  if (!caller) throw new AppError("INVALID_API_KEY", "The key has been revoked.");
  if (caller.limits !== null) {
    refuseExpired(caller.limits, tx.nowMs);
    refuseElsewhere(caller.limits, client);
  }
  if (caller.disabled) throw new AppError("WORKSPACE_DISABLED", "The workspace is disabled.");
  return acceptSubmitted(tx, caller, message);
}

/**
 * As `acceptHandedIn`, for a caller who is known.
 * @throws AppError as that, but for the caller
 */
export async function acceptSubmitted(
  tx: Tx,
  { workspace, domains, by }: Pick<Caller, "workspace" | "domains" | "by">,
  { submitted, recipients, tracking }: Omit<SubmittedMessage, "key" | "client">,
): Promise<readonly string[] | AppError> {
  const { senderDomain, from, subject, replyTo, messageId, bytes, idempotency, labels } = submitted;
  const sender = { workspace, domains };
  // Readers see both Sender and From.
  if (senderDomain !== null) await domainToSendFrom(tx, sender, senderDomain);
  await domainToSendFrom(tx, sender, domainOf(from.address));
  const said = { kind: "TRANSACTIONAL", from, replyTo, subject, html: "", text: "", tracking, labels } as const;
  const request = {
    sender,
    sourceType: "TRANSACTIONAL" as const,
    content: { ...said, raw: { bytes, messageId } },
    to: { addresses: recipientsIn(submitted, recipients) },
    // For several recipients it is one message: the header names them.
    ...(recipients.length > 1 ? { group: newId(tx.nowMs) } : {}),
    origin: { requestId: null, by },
  };
  return acceptOnce(tx, request, idempotency);
}

/** For the addresses of an envelope. */
type SmtpMailRequest = AnyMailRequest<{ readonly addresses: readonly Recipient[] }> & { readonly content: MailContent };

/** `idempotency` null = every message is a new one. */
async function acceptOnce(
  tx: Tx,
  request: SmtpMailRequest,
  idempotency: Idempotency | null,
): Promise<readonly string[] | AppError> {
  const { addresses } = request.to;
  const keys = idempotency ? keysOf(request, idempotency) : new Map<string, NewIdempotencyKey>();
  const names = [...keys.values()].map(nameOfKey).sort();
  const carryOut = async () => {
    const taken = await Promise.all(
      [...keys].map(async ([address, key]) => ((await takeKey(tx, key)) ? [address] : [])),
    );
    const free = new Set(taken.flat());
    const ids = await attempt(tx, (own) => acceptNew(own, request, keys, free));
    const settle = async (address: string) => {
      const key = keys.get(address) as NewIdempotencyKey;
      if (ids instanceof AppError) await freeKey(tx, key);
      else await keepAnswer(tx, { ...key, status: 250, body: ids.get(address) as string });
    };
    await Promise.all([...free].map(settle));
    return ids instanceof AppError ? ids : addresses.map(({ address }) => ids.get(address) as string);
  };
  // In a fixed order, to avoid deadlocks.
  return names.reduceRight((work, name) => () => tx.inTurn(`key ${name}`, work), carryOut)();
}

/** By address; empty if the message has no identity of its own. */
type Keys = ReadonlyMap<string, NewIdempotencyKey>;
type Ids = ReadonlyMap<string, string>;

/** The earlier mails of recipients who have one, and new ones for the others. */
async function acceptNew(tx: Tx, request: SmtpMailRequest, keys: Keys, free: ReadonlySet<string>): Promise<Ids> {
  const ids = new Map<string, string>();
  for (const [address, key] of keys) {
    const taken = free.has(address) ? null : await answerUnder(tx, key);
    if (!taken) continue;
    if (taken.bodyHash !== key.bodyHash) throw reused();
    ids.set(address, taken.body);
  }
  const addresses = request.to.addresses.filter(({ address }) => !ids.has(address));
  const mails = addresses.length === 0 ? [] : await accept(tx, { ...request, to: { addresses } });
  mails.forEach(({ email }, index) => ids.set((addresses[index] as Recipient).address, email));
  return ids;
}

function keysOf({ sender, to }: SmtpMailRequest, { kind, value, fingerprint }: Idempotency): Keys {
  const [name, bodyHash] = kind === "key" ? [value, fingerprint] : [`${value}\0${fingerprint}`, ""];
  return new Map(
    to.addresses.map(({ address }) => {
      const key = sha256Hex(`${kind}\0${name}\0${address}`);
      return [address, { workspace: sender.workspace, route: ROUTE, key, bodyHash, caller: null }];
    }),
  );
}

function reused(): AppError {
  return new AppError("IDEMPOTENCY_KEY_REUSED", "The Idempotency-Key has been used with another message.");
}
