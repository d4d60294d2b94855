// Keeps what was read lately, bounded by number and by cost.

export type Parsed<T> = { readonly value: T; readonly cost: number };

/** The longest unused goes first. What costs more than `maxCost` alone is not kept. */
export class ParsedCache<T> {
  private readonly entries = new Map<string, Parsed<T>>();
  private totalCost = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly maxCost: number,
  ) {}

  /** What is kept under `key`, or else what `make` answers, kept from now on. */
  get(key: string, make: () => Parsed<T>): T {
    const entry = this.entries.get(key) ?? make();
    this.remove(key);
    this.entries.set(key, entry);
    this.totalCost += entry.cost;
    this.evict();
    return entry.value;
  }

  private evict(): void {
    for (const key of this.entries.keys()) {
      if (this.entries.size <= this.maxEntries && this.totalCost <= this.maxCost) return;
      this.remove(key);
    }
  }

  private remove(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.totalCost -= entry.cost;
  }
}
