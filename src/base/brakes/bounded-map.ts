// A map of bounded size: the least recently used entry is evicted first.

type BoundedEntry<Value> = { readonly value: Value; readonly cost: number };

export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, BoundedEntry<Value>>();
  #totalCost = 0;

  /** Holds at most `most` entries, which together cost at most `mostCost`. */
  constructor(
    private readonly most: number,
    private readonly mostCost = Infinity,
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /** A read counts as a use. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** An entry that costs more than the limit for all is not kept. */
  set(key: Key, value: Value, cost = 0): void {
    this.delete(key);
    this.#entries.set(key, { value, cost });
    this.#totalCost += cost;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.most && this.#totalCost <= this.mostCost) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#totalCost -= entry.cost;
  }
}
