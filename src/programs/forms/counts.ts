// The counts of forms, seen, sent and confirmed: sums by day and site, without anything about a person.
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { DAY_MS, iso, type Clock } from "../../base/clock.ts";
import type { Store } from "../../store/store.ts";
import {
  addCounts,
  deleteCountsBefore,
  type FormCountRow,
  type FormCounts,
  type FormCountKey,
} from "./count-queries.ts";

export const FLUSH_EVERY_MS = 10_000;
/** The limit of places in memory; more are not counted until these are written. */
const MOST_PLACES = 10_000;
const KEPT_DAYS = 400;

export function dayOf(nowMs: number): string {
  return iso(nowMs).slice(0, 10);
}

/** A view causes no write: views are added to the sums every few seconds. */
export class Views {
  readonly #store: Store;
  readonly #clock: Clock;
  #seen = new Map<string, FormCountKey & { seen: number }>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  count(form: number, site: string): void {
    const day = dayOf(this.#clock.nowMs());
    this.#add({ form, day, site }, 1);
  }

  #add({ form, day, site }: FormCountKey, more: number): void {
    const key = `${form} ${day} ${site}`;
    const place = this.#seen.get(key) ?? { form, day, site, seen: 0 };
    if (!this.#seen.has(key) && this.#seen.size >= MOST_PLACES) return;
    place.seen += more;
    this.#seen.set(key, place);
  }

  /** A step of a loop. */
  async flush(): Promise<number> {
    const seen = this.#seen;
    if (seen.size === 0) return NOTHING_DUE;
    this.#seen = new Map();
    try {
      await this.#store.write(async (tx) => {
        for (const place of seen.values()) await addCounts(tx, place, { seen: place.seen, sent: 0, confirmed: 0 });
      });
    } catch (error) {
      // The next step tries again.
      for (const place of seen.values()) this.#add(place, place.seen);
      throw error;
    }
    return NOTHING_DUE;
  }
}

export function forgetOldCounts(store: Store, most: number): Promise<number> {
  return store.write((tx) => deleteCountsBefore(tx, dayOf(tx.nowMs - KEPT_DAYS * DAY_MS), most));
}

const NONE: FormCounts = { seen: 0, sent: 0, confirmed: 0 };

export function totalOfCounts(counts: readonly FormCounts[]): FormCounts {
  return counts.reduce((all, { seen, sent, confirmed }) => {
    return { seen: all.seen + seen, sent: all.sent + sent, confirmed: all.confirmed + confirmed };
  }, NONE);
}

/** The counts by day, with every day, and by site, the most seen first. */
export function inSeries(counted: readonly FormCountRow[], days: readonly string[]) {
  const byDay = Map.groupBy(counted, ({ day }) => day);
  const bySite = [...Map.groupBy(counted, ({ site }) => site)].map(([site, rows]) => ({
    site,
    ...totalOfCounts(rows),
  }));
  return {
    ...totalOfCounts(counted),
    days: days.map((day) => ({ day, ...totalOfCounts(byDay.get(day) ?? []) })),
    sites: bySite.toSorted((one, other) => other.seen - one.seen || other.sent - one.sent),
  };
}
