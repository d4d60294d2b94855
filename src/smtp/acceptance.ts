// Accepts messages that were submitted at the same time together, in one transaction.
import { domainOf } from "../addresses.ts";
import { AppError, asRefusal } from "../errors.ts";
import type { Tx } from "../store/store.ts";
import type { Caller } from "../access/caller.ts";
import { domainToSendFrom, type Sender } from "../domains/domain.ts";
import { callerWith } from "../access/key-set.ts";
import { acceptEachOnce, type Submission } from "./idempotency.ts";
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

/**
 * Queues the mails of each message; answers their ids in the order of its recipients, or why it is refused: INVALID_API_KEY,
 * WORKSPACE_DISABLED, DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED for From or Sender, and as `acceptEachOnce`.
 */
export async function acceptEach(tx: Tx, messages: readonly HandedIn[]): Promise<(readonly string[] | AppError)[]> {
  const standing = new Standing(tx);
  const submissions: (Submission | AppError)[] = [];
  for (const one of messages) submissions.push(await standing.submissionOf(one).catch(asRefusal));
  const good = submissions.filter((one): one is Submission => !(one instanceof AppError));
  const answers = (await acceptEachOnce(tx, good)).values();
  return submissions.map((one) =>
    one instanceof AppError ? one : (answers.next().value as readonly string[] | AppError),
  );
}

/** How things stand now, each looked up once: a key may have been revoked, and a workspace disabled, while the connection was open. */
class Standing {
  readonly #callers = new Map<string, Promise<Caller>>();
  readonly #domains = new Map<string, Promise<unknown>>();

  constructor(private readonly tx: Tx) {}

  /** @throws AppError */
  async submissionOf({ key, submitted, recipients, tracking }: HandedIn): Promise<Submission> {
    const caller = this.#callers.get(key) ?? this.#caller(key);
    this.#callers.set(key, caller);
    const { workspace, domains, by } = await caller;
    const { senderDomain, from, subject, replyTo, messageId, bytes, idempotency } = submitted;
    const sender = { workspace, domains };
    // Readers are shown both.
    if (senderDomain !== null) await this.#mayUse(key, sender, senderDomain);
    await this.#mayUse(key, sender, domainOf(from.address));
    const said = { kind: "TRANSACTIONAL", from, replyTo, subject, html: "", text: "", tracking } as const;
    const request = {
      ...{ sender, sourceType: "TRANSACTIONAL" as const, content: { ...said, raw: { bytes, messageId } } },
      ...{ to: { addresses: recipients.map((address) => ({ address, name: null })) }, origin: { requestId: null, by } },
    };
    return { request, idempotency };
  }

  async #caller(key: string): Promise<Caller> {
    const caller = await callerWith(this.tx, key);
    if (!caller) throw new AppError("INVALID_API_KEY", "The key has been revoked.");
    if (caller.disabled) throw new AppError("WORKSPACE_DISABLED", "The workspace is disabled.");
    return caller;
  }

  async #mayUse(key: string, sender: Sender, domain: string): Promise<void> {
    const name = `${key} ${domain}`;
    const found = this.#domains.get(name) ?? domainToSendFrom(this.tx, sender, domain);
    this.#domains.set(name, found);
    await found;
  }
}
