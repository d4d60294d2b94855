// Accepts a message that was submitted, as things stand now.
import { domainOf } from "../addresses.ts";
import { AppError } from "../errors.ts";
import { lookup } from "../store/loads.ts";
import type { Tx } from "../store/store.ts";
import { callerWith } from "../access/key-set.ts";
import { domainToSendFrom } from "../domains/domain.ts";
import { acceptOnce } from "./idempotency.ts";
import type { Submitted } from "./submitted.ts";

export type HandedIn = {
  /** Of the session. */
  readonly key: string;
  readonly submitted: Submitted;
  /** Of the envelope, each once. */
  readonly recipients: readonly string[];
  /** Whether opens and clicks are looked for, where the workspace wants that. */
  readonly tracking: boolean;
};

const callerOf = lookup(
  (key: string) => key,
  (tx, key) => callerWith(tx, key),
);

/**
 * Queues the mails of a message; answers their ids in the order of its recipients. How things stand now counts: a key
 * may have been revoked, and a workspace disabled, while the connection was open.
 * @throws AppError INVALID_API_KEY, WORKSPACE_DISABLED, DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED for From or Sender, and
 * as `acceptOnce`
 */
export async function acceptHandedIn(
  tx: Tx,
  { key, submitted, recipients, tracking }: HandedIn,
): Promise<readonly string[] | AppError> {
  const caller = await callerOf(tx, key);
  if (!caller) throw new AppError("INVALID_API_KEY", "The key has been revoked.");
  if (caller.disabled) throw new AppError("WORKSPACE_DISABLED", "The workspace is disabled.");
  const { workspace, domains, by } = caller;
  const { senderDomain, from, subject, replyTo, messageId, bytes, idempotency } = submitted;
  const sender = { workspace, domains };
  // Readers are shown both.
  if (senderDomain !== null) await domainToSendFrom(tx, sender, senderDomain);
  await domainToSendFrom(tx, sender, domainOf(from.address));
  const said = { kind: "TRANSACTIONAL", from, replyTo, subject, html: "", text: "", tracking } as const;
  const request = {
    sender,
    sourceType: "TRANSACTIONAL" as const,
    content: { ...said, raw: { bytes, messageId } },
    to: { addresses: recipients.map((address) => ({ address, name: null })) },
    origin: { requestId: null, by },
  };
  return acceptOnce(tx, { request, idempotency });
}
