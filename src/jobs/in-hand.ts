// Work that a loop has taken on and does not wait for: each piece once at a time, and word when there is room for more.

export class InHand {
  readonly #work = new Map<number, Promise<void>>();
  readonly #gatheringMs: number;
  #told: ReturnType<typeof setTimeout> | null = null;
  /** Called when something is settled, so that the next can be claimed. */
  onRoom: () => void = () => {};

  /** What is settled within so many milliseconds is told of once; 0 = each at once. */
  constructor(gatheringMs = 0) {
    this.#gatheringMs = gatheringMs;
  }

  get size(): number {
    return this.#work.size;
  }

  has(key: number): boolean {
    return this.#work.has(key);
  }

  get keys(): number[] {
    return [...this.#work.keys()];
  }

  /**
   * `work` answers when it is settled, and does not throw. What is in hand already is not taken a second time: its lease
   * may have run out under our own hands (the machine slept), and be renewed by a claim.
   */
  take(key: number, work: () => Promise<void>): void {
    if (this.#work.has(key)) return;
    const settled = work().finally(() => {
      this.#work.delete(key);
      this.#tellRoom();
    });
    this.#work.set(key, settled);
  }

  /** Answers when everything in hand is settled: true if there was anything. */
  async idle(): Promise<boolean> {
    const busy = this.#work.size > 0;
    while (this.#work.size > 0) await Promise.all(this.#work.values());
    return busy;
  }

  #tellRoom(): void {
    if (this.#gatheringMs === 0) return this.onRoom();
    this.#told ??= setTimeout(() => {
      this.#told = null;
      this.onRoom();
    }, this.#gatheringMs);
  }
}
