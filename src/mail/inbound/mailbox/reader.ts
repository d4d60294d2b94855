// Reads one bounce mailbox, in one process at a time: its lease, its connection, and its looks.
import { iso } from "../../../base/clock.ts";
import { newId } from "../../../base/ids.ts";
import { NOTHING_DUE } from "../../../base/jobs/due.ts";
import { ClaimedWork } from "../../../base/jobs/in-hand.ts";
import type { LoopSpec } from "../../../base/jobs/loops.ts";
import { backOffMs } from "../../../base/jobs/retry.ts";
import type { Ground } from "../../../ground/ground.ts";
import { heldSince } from "../../../store/hold.ts";
import { MailboxLook, type LookOptions } from "./look.ts";
import { MailboxFault, type OpenMailbox } from "./mailbox.ts";
import { openMailbox, tokensOf } from "./open.ts";
import { claimMailbox, noteProblem, noteReadable, releaseMailbox, type MailboxProgress } from "./queries.ts";

export type MailboxReaderOptions = LookOptions & Pick<Ground, "clock" | "leaseMs" | "tokens">;

/** A look ends after this time, so that the loop does not seem stuck; the next one continues. */
const LONGEST_LOOK_MS = 60_000;

export class MailboxReader {
  readonly #options: MailboxReaderOptions;
  /** Used only to wake the loop on news; holds no work. */
  readonly #waker = new ClaimedWork();
  readonly #by: string;
  #mailbox: OpenMailbox | null = null;
  #hasNews = true;
  #lookedMs = -Infinity;
  #failures = 0;
  #restsUntilMs = -Infinity;
  #isStopping = false;
  #working: Promise<number> = Promise.resolve(0);

  constructor(options: MailboxReaderOptions) {
    this.#options = options;
    this.#by = newId(options.clock.nowMs());
  }

  get loop(): LoopSpec {
    const { settings, leaseMs } = this.#options;
    const name = `reading the bounce mailbox ${settings.name}`;
    return { name, step: () => (this.#working = this.#step()), inHand: this.#waker, lookEveryMs: leaseMs / 3 };
  }

  /** Another process may read it immediately. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#working.catch(() => undefined);
    this.#mailbox?.close();
    const { store, settings } = this.#options;
    await store.write((tx) => releaseMailbox(tx, settings.name, this.#by));
  }

  async #step(): Promise<number> {
    const { clock } = this.#options;
    const restMs = this.#restsUntilMs - clock.monotonicMs();
    if (this.#isStopping || restMs > 0) return this.#isStopping ? NOTHING_DUE : restMs;
    const progress = await this.#claimed();
    if (progress === null) {
      this.#close();
      return NOTHING_DUE;
    }
    if (this.#isStopping || !this.#mayHaveNews) return NOTHING_DUE;
    try {
      const found = await this.#look(progress);
      await this.#wasRead(progress);
      this.#hasNews ||= found === "some";
      return found === "nothing" ? NOTHING_DUE : 0;
    } catch (error) {
      this.#close();
      if (error instanceof MailboxFault) return this.#failed(progress, error);
      throw error;
    }
  }

  get #mayHaveNews(): boolean {
    const { clock } = this.#options;
    if (this.#hasNews || !this.#mailbox?.isOpen()) return true;
    return clock.monotonicMs() - this.#lookedMs >= this.#mailbox.looksEveryMs;
  }

  /** A copy that is held leaves the mailbox to its original. Null = another process reads it. */
  async #claimed(): Promise<MailboxProgress | null> {
    const { store, settings, leaseMs } = this.#options;
    if ((await store.read(heldSince)) !== null) return null;
    const { name, kind, folder, relay } = settings;
    const place = JSON.stringify([kind, relay.host, relay.port, relay.user, folder]);
    return store.write((tx) => claimMailbox(tx, { name, place, by: this.#by, until: iso(tx.nowMs + leaseMs) }));
  }

  async #look(progress: MailboxProgress): ReturnType<MailboxLook["run"]> {
    const { clock, tokens, settings } = this.#options;
    if (!this.#mailbox?.isOpen())
      this.#mailbox = await openMailbox({
        settings,
        tokens: tokensOf(tokens, settings),
        onNews: () => this.#tellNews(),
      });
    [this.#hasNews, this.#lookedMs] = [false, clock.monotonicMs()];
    const look = new MailboxLook(this.#options, this.#mailbox, progress);
    const untilMs = this.#lookedMs + LONGEST_LOOK_MS;
    return look.run(() => this.#isStopping || clock.monotonicMs() > untilMs);
  }

  #tellNews(): void {
    this.#hasNews = true;
    this.#waker.tellRoom();
  }

  async #wasRead({ problem }: MailboxProgress): Promise<void> {
    const { store, settings, log } = this.#options;
    this.#failures = 0;
    await store.write((tx) => noteReadable(tx, settings.name));
    if (problem !== null) log.info("a bounce mailbox can be read again", { mailbox: settings.name });
  }

  async #failed({ problem: before }: MailboxProgress, { message, waitMs }: MailboxFault): Promise<number> {
    const { store, settings, log, clock } = this.#options;
    if (this.#isStopping) return NOTHING_DUE;
    if (message !== before) log.warn("a bounce mailbox cannot be read", { mailbox: settings.name, problem: message });
    await store.write((tx) => noteProblem(tx, settings.name, message));
    const restMs = Math.max(backOffMs(++this.#failures), waitMs);
    this.#restsUntilMs = clock.monotonicMs() + restMs;
    return restMs;
  }

  #close(): void {
    this.#mailbox?.close();
    this.#mailbox = null;
    this.#hasNews = true;
  }
}
