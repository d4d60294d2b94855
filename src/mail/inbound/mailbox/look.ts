// One look at a bounce mailbox. Each message is stored in the transaction that moves the position on, so it is taken
// once, whenever the process dies; what was taken and is still in the folder is moved by the next look.
import type { MailboxSettings } from "../../../base/config/mailboxes.ts";
import { counterBy } from "../../../base/metrics/metric.ts";
import type { Ground } from "../../../ground/ground.ts";
import { SmtpReply } from "../../../ground/smtp-listener/smtp-reply.ts";
import type { Tx } from "../../../store/store.ts";
import { storeArrival } from "../arrival.ts";
import type { ReturnedMessage } from "../bounces/returned.ts";
import { joined } from "../message.ts";
import type { ReadingThread } from "../reading-thread.ts";
import type { MailboxMessage, OpenMailbox } from "./mailbox.ts";
import { advanceMailbox, type MailboxProgress } from "./queries.ts";
import { addresseesOf, arrivalOf, type MailboxOutcome, type TakeOptions } from "./take.ts";

const MESSAGES = counterBy("posthorn_mailbox_messages_total", "Messages in bounce mailboxes, by what became of them.", [
  "mailbox",
  "outcome",
]);

export type LookOptions = Pick<Ground, "store" | "log"> & {
  readonly settings: MailboxSettings;
  readonly take: TakeOptions;
  /** A message that stops the first is tried on the second. */
  readonly threads: readonly [ReadingThread, ReadingThread];
};

/** A message is known by its beginning (bounces/notice.ts). */
const MOST_KNOWN_BYTES = 512 * 1024;

export class MailboxLook {
  readonly #options: LookOptions;
  readonly #mailbox: OpenMailbox;
  #position: string | null;
  #unmoved: readonly string[];
  /** As the store has them. */
  #keptUnmoved: readonly string[];

  constructor(options: LookOptions, mailbox: OpenMailbox, { position, unmoved }: MailboxProgress) {
    this.#options = options;
    this.#mailbox = mailbox;
    this.#position = position;
    this.#unmoved = unmoved;
    this.#keptUnmoved = unmoved;
  }

  /** Ends early once `isOver`. @throws MailboxFault */
  async run(isOver: () => boolean): Promise<"nothing" | "all" | "some"> {
    await this.#clear();
    const position = this.#position ?? (await this.#begun());
    const { messages, end = null, hasMore } = await this.#mailbox.newAfter(position);
    for (const message of messages) {
      if (isOver()) return "some";
      await this.#take(message);
      await this.#clear();
    }
    const last = end ?? this.#position ?? position;
    if (last !== this.#position || this.#keptUnmoved.length > 0) await this.#goOn(last, []);
    return hasMore ? "some" : messages.length > 0 ? "all" : "nothing";
  }

  async #begun(): Promise<string> {
    const position = await this.#mailbox.begin(this.#options.store.clock.nowMs());
    await this.#goOn(position, []);
    return position;
  }

  async #clear(): Promise<void> {
    for (const id of this.#unmoved) await this.#mailbox.clear(id);
    this.#unmoved = [];
  }

  async #take(message: MailboxMessage): Promise<void> {
    const found = await message.bytes();
    if (typeof found === "string") return this.#pass(message, found);
    const raw = found.includes(0) ? withoutNuls(found) : found;
    const returned = await this.#read(raw);
    if (returned === null) return this.#pass(message, "refused", "It cannot be read");
    const { take, settings, store } = this.#options;
    const { outcome, addressees } = await addresseesOf(take, settings, returned);
    if (addressees.length === 0) return this.#pass(message, outcome);
    const unmoved = [...this.#unmoved, message.id];
    const whenWhole = (tx: Tx) => this.#advance(tx, { to: message.position, unmoved, outcome });
    try {
      await storeArrival(store, { ...arrivalOf(raw, returned.sender, addressees), whenWhole });
    } catch (error) {
      if (!(error instanceof SmtpReply)) throw error;
      return this.#pass(message, "refused", error.message);
    }
    this.#went(message.position, unmoved);
  }

  /** It stays in the folder. */
  async #pass({ id, position }: MailboxMessage, outcome: MailboxOutcome, problem?: string): Promise<void> {
    const { log, settings } = this.#options;
    const words = problem ?? (outcome === "large" ? "It is larger than 25 MB" : null);
    if (words !== null)
      log.warn("a message in a bounce mailbox is not taken; it stays there", {
        mailbox: settings.name,
        id,
        problem: words,
      });
    await this.#goOn(position, this.#unmoved, outcome);
  }

  async #goOn(to: string, unmoved: readonly string[], outcome?: MailboxOutcome): Promise<void> {
    await this.#options.store.write((tx) => this.#advance(tx, { to, unmoved, outcome }));
    this.#went(to, unmoved);
  }

  #went(to: string, unmoved: readonly string[]): void {
    [this.#position, this.#unmoved, this.#keptUnmoved] = [to, unmoved, unmoved];
  }

  async #advance(tx: Tx, { to, unmoved, outcome }: Advance): Promise<void> {
    const { name } = this.#options.settings;
    if ((await advanceMailbox(tx, { name, from: this.#position, to, unmoved })) === 0)
      throw new Error(`Another process has gone on with the bounce mailbox ${name}.`);
    if (outcome !== undefined) tx.tally({ metric: MESSAGES, labels: [name, outcome] });
  }

  /** Null if it stops even a thread of its own. */
  async #read(raw: Uint8Array): Promise<ReturnedMessage | null> {
    // Each thread gets a copy to keep.
    const known = () => joined([raw.subarray(0, MOST_KNOWN_BYTES)]);
    const [first, second] = this.#options.threads;
    return first.returned(known()).catch(() => second.returned(known()).catch(() => null));
  }
}

/** As the port takes them out of notices; in place, by a plain loop: `filter` takes 700 ms for 25 MB. */
function withoutNuls(raw: Uint8Array): Uint8Array {
  let length = 0;
  for (let at = 0; at < raw.length; at++) if (raw[at] !== 0) raw[length++] = raw[at] as number;
  return raw.subarray(0, length);
}

type Advance = {
  readonly to: string;
  readonly unmoved: readonly string[];
  readonly outcome?: MailboxOutcome | undefined;
};
