// Rows are numbered in one order and may be committed in another: on PostgreSQL, 2 can be seen while 1 is still on its
// way. A reader that remembers its position in a list must not pass such a gap.
import type { Reader } from "./store.ts";

type Transactions = { readonly next: number; readonly oldest: number };

/** The point up to which lists are complete. `Ends`: the ends of the lists, by numbers that grow. */
export class Horizon<Ends> {
  readonly #endsOf: (reader: Reader) => Promise<Ends>;
  #seen: { readonly ends: Ends; readonly next: number } | null = null;

  constructor(endsOf: (reader: Reader) => Promise<Ends>) {
    this.#endsOf = endsOf;
  }

  /**
   * The ends at an earlier call. All transactions that were under way then are over, so no more rows come before them.
   * Null = not known yet.
   */
  async passed(reader: Reader): Promise<Ends | null> {
    const ends = await this.#endsOf(reader);
    // Read after the ends, or a transaction that is not among those under way could have a number before them.
    const { next, oldest } = await transactionsNow(reader);
    const before = this.#seen;
    if (before !== null && before.next > oldest) return null;
    this.#seen = { ends, next };
    return before?.ends ?? null;
  }
}

async function transactionsNow(reader: Reader): Promise<Transactions> {
  const { nextTransaction, oldestTransaction } = reader.dialect;
  const row = await reader.get<Transactions>`select ${nextTransaction} as next, ${oldestTransaction} as oldest`;
  return row as Transactions;
}

/** Lists whose rows are reported as soon as they can be seen, each once. */
type HorizonLists<Ends, Row> = {
  readonly endsOf: (reader: Reader) => Promise<Ends>;
  /** The first `most` rows of each list after a place. */
  readonly after: (reader: Reader, place: Ends, most: number) => Promise<readonly (readonly Row[])[]>;
  readonly keyOf: (row: Row) => string | number;
};

/**
 * Another program's transaction on the same server may take hours: the follower does not wait for gaps more than this
 * many rows back.
 */
const MOST_TOLD = 20_000;

export class HorizonFollower<Ends, Row> {
  readonly #lists: HorizonLists<Ends, Row>;
  readonly #most: number;
  readonly #horizon: Horizon<Ends>;
  /** Everything up to here was reported. */
  #place: Ends | null;
  /** The reported rows after the place. */
  #told: ReadonlySet<string | number> = new Set();

  /** `place`: null = rows that exist at the first call count as known. */
  constructor(lists: HorizonLists<Ends, Row>, most: number, place: Ends | null = null) {
    this.#lists = lists;
    this.#most = most;
    this.#horizon = new Horizon(lists.endsOf);
    this.#place = place;
  }

  /**
   * The new rows, at most about so many of each list; the first call answers nothing if it began where the lists ended.
   */
  async next(reader: Reader): Promise<readonly Row[]> {
    const { after, keyOf, endsOf } = this.#lists;
    if (this.#place === null) return this.#begin(reader);
    const passed = this.#told.size > MOST_TOLD ? await endsOf(reader) : await this.#horizon.passed(reader);
    const most = this.#most + this.#told.size;
    const lists = await after(reader, this.#place, most);
    const rows = lists.flat();
    const fresh = rows.filter((row) => !this.#told.has(keyOf(row)));
    this.#told = new Set(rows.map(keyOf));
    if (passed !== null && lists.every(({ length }) => length < most)) this.#place = passed;
    return fresh;
  }

  async #begin(reader: Reader): Promise<readonly Row[]> {
    const { endsOf, after, keyOf } = this.#lists;
    this.#place = await endsOf(reader);
    this.#told = new Set((await after(reader, this.#place, this.#most)).flat().map(keyOf));
    return [];
  }
}
