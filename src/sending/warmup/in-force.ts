// The warm-ups under way, as loaded by this process.
import { BoundedMap } from "../../base/brakes/bounded-map.ts";
import type { Store } from "../../store/store.ts";
import { warmupOf, warmupsUnderWay, type Warmup } from "./queries.ts";
import { beginIfNew } from "./warmup.ts";

type WarmupsOptions = {
  readonly store: Store;
  /** Whether new sender domains get a warm-up. */
  readonly isWanted: () => boolean;
};

const MOST_WARMUPS = 5_000;
const MOST_KNOWN = 20_000;

export class Warmups {
  readonly #options: WarmupsOptions;
  #ofDomains: ReadonlyMap<number, Warmup> = new Map();
  #ofWays: ReadonlyMap<string, Warmup> = new Map();
  #seen = "";
  /** Domains that have or had a warm-up. */
  readonly #known = new BoundedMap<number, true>(MOST_KNOWN);

  constructor(options: WarmupsOptions) {
    this.#options = options;
  }

  get isNone(): boolean {
    return this.#ofDomains.size + this.#ofWays.size === 0;
  }

  /** Whether any way out has a warm-up under way. */
  get hasWays(): boolean {
    return this.#ofWays.size > 0;
  }

  /** Null = no warm-up under way. */
  ofDomain(domain: number): Warmup | null {
    return this.#ofDomains.get(domain) ?? null;
  }

  ofWay(way: string): Warmup | null {
    return this.#ofWays.get(way) ?? null;
  }

  /** Answers whether a warm-up has changed. */
  async load(): Promise<boolean> {
    const all = await this.#options.store.read((reader) => warmupsUnderWay(reader, MOST_WARMUPS));
    this.#ofDomains = new Map(all.flatMap((one) => (one.domain === null ? [] : [[one.domain, one]])));
    this.#ofWays = new Map(all.flatMap((one) => (one.way === null ? [] : [[one.way, one]])));
    const seen = all.map(({ seq, changedAt }) => `${seq} ${changedAt}`).join();
    const hasChanged = seen !== this.#seen;
    this.#seen = seen;
    return hasChanged;
  }

  /** Called with the sender domain of marketing mail: a new domain gets its warm-up now. */
  async meet(workspace: number, domain: number): Promise<void> {
    if (this.#known.get(domain) || domain === 0) return;
    const { store, isWanted } = this.#options;
    if (!isWanted()) return;
    const known = await store.read((reader) => warmupOf(reader, { domain }));
    if (known === null) {
      await store.write((tx) => beginIfNew(tx, { workspace, domain }));
      await this.load();
    }
    this.#known.set(domain, true);
  }
}
