// Work in hand that a loop does not wait for: each piece runs once at a time, and a signal tells when there is room for
// more. With an owner given, no owner has more in hand than there is room left for the others, so the next owner always
// finds some.

type RoomTimer = { readonly timer: ReturnType<typeof setTimeout>; readonly waitMs: number };

export class ClaimedWork {
  readonly #work = new Map<number, Promise<void>>();
  readonly #held = new Map<number, number>();
  readonly #gatheringMs: () => number;
  #told: RoomTimer | null = null;
  /** Called when work is settled, so that the next can be claimed. */
  onRoom: () => void = () => {};
  /** False while there is no work for free room. */
  isRoomWanted = true;

  /** Work settled within so many milliseconds is reported together; 0 = each piece immediately. */
  constructor(gatheringMs: number | (() => number) = 0) {
    this.#gatheringMs = typeof gatheringMs === "number" ? () => gatheringMs : gatheringMs;
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
   * `work` resolves when it is settled, and does not throw. Work already in hand is not taken a second time: its lease
   * may have run out under our own hands (the machine slept), and be renewed by a claim.
   */
  take(key: number, work: () => Promise<void>, whose = 0): void {
    if (this.#work.has(key)) return;
    this.#held.set(whose, this.#heldBy(whose) + 1);
    const settled = work().finally(() => {
      this.#work.delete(key);
      this.#release(whose);
      this.tellRoom();
    });
    this.#work.set(key, settled);
  }

  /** The share of the room that each owner may take; `without`: owners that may take nothing. */
  shares(room: number): { readonly without: readonly number[]; readonly mostOf: (whose: number) => number } {
    const mostOf = (whose: number) => Math.max(0, Math.ceil((room - this.#heldBy(whose)) / 2));
    return { without: [...this.#held.keys()].filter((whose) => mostOf(whose) === 0), mostOf };
  }

  #heldBy(whose: number): number {
    return this.#held.get(whose) ?? 0;
  }

  #release(whose: number): void {
    const left = this.#heldBy(whose) - 1;
    if (left > 0) this.#held.set(whose, left);
    else this.#held.delete(whose);
  }

  /** Resolves when everything in hand is settled: true if there was anything. */
  async idle(): Promise<boolean> {
    const busy = this.#work.size > 0;
    while (this.#work.size > 0) await Promise.all(this.#work.values());
    return busy;
  }

  /** Signals that work in hand has left room, though it may not be settled yet. */
  tellRoom(): void {
    if (!this.isRoomWanted) return;
    const waitMs = this.#gatheringMs();
    if (waitMs === 0) return this.onRoom();
    if (this.#told && this.#told.waitMs <= waitMs) return;
    if (this.#told) clearTimeout(this.#told.timer);
    const announceRoom = () => {
      this.#told = null;
      this.onRoom();
    };
    this.#told = { timer: setTimeout(announceRoom, waitMs), waitMs };
  }
}
