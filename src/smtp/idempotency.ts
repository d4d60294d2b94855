// A message submitted twice within a day is accepted once: by its Idempotency-Key, else its Message-ID, for each of its recipients.
import { domainOf, type Mailbox } from "../addresses.ts";
import { acceptOne } from "../emails/accept.ts";
import type { MailRequest as AnyMailRequest } from "../emails/door/request.ts";
import type { Content } from "../emails/content/queries.ts";
import { AppError } from "../errors.ts";
import { keptSince } from "../http/idempotency.ts";
import { answerUnder, keepAnswer, takeKey, type KeyName } from "../http/queries.ts";
import { sha256Hex } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import { domainToSendFrom } from "../workspaces/domains/domain.ts";

const ROUTE = "SMTP";

/** A submitted message, for the addresses of its envelope. */
type MailRequest = AnyMailRequest<Mailbox> & { readonly content: Content };

/** What tells a message that is submitted again. `fingerprint`: a digest of the message; the same key with another one is refused. */
export type Idempotency =
  | { readonly kind: "key"; readonly value: string; readonly fingerprint: string }
  | { readonly kind: "message-id"; readonly value: string };

/**
 * Queues a mail for each recipient who has none of this message yet; answers the mails' ids in the order of the recipients.
 * `idempotency` null = every message is a new one.
 * @throws AppError IDEMPOTENCY_KEY_REUSED, and what the door throws; then nothing is queued for anybody
 */
export async function acceptOnce(tx: Tx, request: MailRequest, idempotency: Idempotency | null): Promise<string[]> {
  if (idempotency === null) return (await acceptOne(tx, request)).map(({ email }) => email);
  // Whose mail it is counts even if nothing of it is new.
  await domainToSendFrom(tx, request.sender, domainOf(request.content.from.address));
  const names = new Map(request.recipients.map(({ address }) => [address, keyName(request, idempotency, address)]));
  const ids = await idsTaken(tx, names, idempotency);
  const fresh = request.recipients.filter(({ address }) => !ids.has(address));
  if (fresh.length > 0) await queue(tx, { ...request, recipients: fresh }, { names, ids });
  return request.recipients.map(({ address }) => ids.get(address) as string);
}

type Ids = Map<string, string>;
type Names = ReadonlyMap<string, KeyName>;

/** Takes the keys in one order, so that two transactions never wait for each other. */
async function idsTaken(tx: Tx, names: Names, idempotency: Idempotency): Promise<Ids> {
  const ids: Ids = new Map();
  const fingerprint = idempotency.kind === "key" ? idempotency.fingerprint : "";
  for (const [address, name] of [...names].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if ((await takeKey(tx, name, fingerprint, keptSince(tx.nowMs))) > 0) continue;
    const taken = await answerUnder(tx, name);
    if (idempotency.kind === "key" && taken?.bodyHash !== fingerprint) throw reused();
    ids.set(address, taken?.body ?? "");
  }
  return ids;
}

async function queue(tx: Tx, request: MailRequest, { names, ids }: { names: Names; ids: Ids }): Promise<void> {
  const accepted = await acceptOne(tx, request);
  for (const [index, { email }] of accepted.entries()) {
    const { address } = request.recipients[index] as Mailbox;
    await keepAnswer(tx, names.get(address) as KeyName, 250, email);
    ids.set(address, email);
  }
}

function keyName({ sender }: MailRequest, { kind, value }: Idempotency, address: string): KeyName {
  return { workspace: sender.workspace, route: ROUTE, key: sha256Hex(`${kind}\0${value}\0${address}`) };
}

function reused(): AppError {
  return new AppError("IDEMPOTENCY_KEY_REUSED", "The Idempotency-Key has been used with another message.");
}
