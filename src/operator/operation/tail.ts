// The events of mails as they happen: read from the store, independently of the servers that work on it.
import { iso } from "../../base/clock.ts";
import { HorizonFollower } from "../../store/horizon.ts";
import type { Reader, Store } from "../../store/store.ts";
import {
  acceptedAfter,
  attemptsSince,
  endOfLists,
  eventsAfter,
  type TailEvent,
  type TailCursor,
  type TailFilter,
} from "./tail-queries.ts";

export type TailOptions = TailFilter & {
  /** Only failures. */
  readonly failed: boolean;
};

const BEGINNING: TailCursor = { mail: 0, event: 0, attemptAt: "" };
/** The limit of each list. */
const MOST = 500;
/**
 * Attempts have no numbers, but the moment at which their transaction began: before its first change, and by another
 * machine's clock.
 */
const LATE_MS = 10_000;

const WORDS: Readonly<Record<string, string>> = {
  "email.sent": "sent",
  "email.delivery": "delivered",
  "email.complaint": "complained",
  "email.open": "opened",
  "email.click": "clicked",
  later: "deferred",
};
const FAILURES: ReadonlySet<string> = new Set(["deferred", "failed", "bounced", "complained"]);

export class Tail {
  readonly #store: Store;
  readonly #options: TailOptions;
  readonly #lists: HorizonFollower<TailCursor, TailEvent>;

  constructor(store: Store, options: TailOptions) {
    this.#store = store;
    this.#options = options;
    const lists = {
      endsOf: (reader: Reader) => this.#endsOf(reader),
      after: (reader: Reader, place: TailCursor, most: number) => this.#after(reader, place, most),
      keyOf: ({ key }: TailEvent) => key,
    };
    this.#lists = new HorizonFollower(lists, MOST, options.mail === null ? null : BEGINNING);
  }

  /**
   * The events since the last call, in their order; the first call answers the whole past of a mail, or else nothing.
   */
  async next(): Promise<readonly TailEvent[]> {
    const fresh = await this.#store.read((reader) => this.#lists.next(reader));
    const told = fresh.map((one) => ({ ...one, what: WORDS[one.what] ?? one.what }));
    const wanted = this.#options.failed ? told.filter(({ what }) => FAILURES.has(what)) : told;
    return wanted.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  }

  async #endsOf(reader: Reader): Promise<TailCursor> {
    return { ...(await endOfLists(reader)), attemptAt: iso(this.#store.clock.nowMs() - LATE_MS) };
  }

  async #after(reader: Reader, place: TailCursor, most: number): Promise<readonly (readonly TailEvent[])[]> {
    const asked = { filter: this.#options, place, most };
    return [await acceptedAfter(reader, asked), await eventsAfter(reader, asked), await attemptsSince(reader, asked)];
  }
}
