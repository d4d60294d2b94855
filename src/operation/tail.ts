// What happens to mails, as it happens: read from the store, beside whatever servers work on it.
import { iso, type Clock } from "../clock.ts";
import type { Reader, Store } from "../store/store.ts";
import {
  acceptedAfter,
  attemptsSince,
  endOfLists,
  eventsAfter,
  type Happened,
  type Place,
  type TailFilter,
} from "./tail-queries.ts";

export type TailOptions = TailFilter & {
  /** Only what did not get through. */
  readonly failed: boolean;
};

const BEGINNING: Place = { mail: 0, event: 0, attemptAt: "" };
/** Of each list at once. */
const MOST = 500;
/** What several processes write may be seen in another order than it is numbered: so much is looked at twice. */
const LATE_ROWS = 200;
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
  readonly #clock: Pick<Clock, "nowMs">;
  #place: Place | null = null;
  #seen: ReadonlySet<string> = new Set();

  constructor(store: Store, options: TailOptions) {
    this.#store = store;
    this.#options = options;
    this.#clock = store.clock;
  }

  /** What has happened since the last call, in its order; the first call answers the whole past of a mail, or else nothing. */
  async next(): Promise<readonly Happened[]> {
    return this.#store.read(async (reader) => {
      if (this.#place === null && this.#options.mail === null) return this.#begin(reader);
      const fresh = (await this.#read(reader, this.#place ?? BEGINNING)).filter(({ key }) => !this.#seen.has(key));
      this.#seen = new Set([...this.#seen, ...fresh.map(({ key }) => key)].slice(-6 * MOST));
      const told = fresh.map((one) => ({ ...one, what: WORDS[one.what] ?? one.what }));
      const wanted = this.#options.failed ? told.filter(({ what }) => FAILURES.has(what)) : told;
      return wanted.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
    });
  }

  /** What is there now is known. */
  async #begin(reader: Reader): Promise<readonly Happened[]> {
    this.#place = { ...(await endOfLists(reader)), attemptAt: iso(this.#clock.nowMs()) };
    const overlap = await this.#read(reader, this.#place);
    this.#seen = new Set(overlap.map(({ key }) => key));
    return [];
  }

  async #read(reader: Reader, place: Place): Promise<readonly Happened[]> {
    const asked = { filter: this.#options, place: this.#options.mail === null ? before(place) : BEGINNING, most: MOST };
    const accepted = await acceptedAfter(reader, asked);
    const events = await eventsAfter(reader, asked);
    const attempts = await attemptsSince(reader, asked);
    this.#place = {
      mail: Math.max(place.mail, ...accepted.map(({ seq }) => seq)),
      event: Math.max(place.event, ...events.map(({ seq }) => seq)),
      attemptAt: attempts.at(-1)?.at ?? place.attemptAt,
    };
    return [...accepted, ...events, ...attempts];
  }
}

function before({ mail, event, attemptAt }: Place): Place {
  return {
    mail: mail - LATE_ROWS,
    event: event - LATE_ROWS,
    attemptAt: attemptAt === "" ? "" : iso(Date.parse(attemptAt) - LATE_MS),
  };
}
