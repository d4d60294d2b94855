// Memory that many share: no holder may have more of it than is left for the others.

export class SharedBytes {
  #freeBytes: number;
  readonly #heldBytes = new Map<string, number>();

  constructor(totalBytes: number) {
    this.#freeBytes = totalBytes;
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** An empty share of `holder`; all of a holder's shares count together. */
  share(holder: string): ByteShare {
    let ownBytes = 0;
    return {
      take: (bytes) => {
        const isTaken = this.#take(holder, bytes);
        if (isTaken) ownBytes += bytes;
        return isTaken;
      },
      release: () => {
        this.#give(holder, ownBytes);
        ownBytes = 0;
      },
    };
  }

  /** A single holder gets half of the memory; two holders get a third each, and a third stays free for the next one. */
  #take(holder: string, bytes: number): boolean {
    const heldBytes = (this.#heldBytes.get(holder) ?? 0) + bytes;
    if (heldBytes > this.#freeBytes - bytes) return false;
    this.#heldBytes.set(holder, heldBytes);
    this.#freeBytes -= bytes;
    return true;
  }

  #give(holder: string, bytes: number): void {
    const heldBytes = (this.#heldBytes.get(holder) ?? 0) - bytes;
    if (heldBytes > 0) this.#heldBytes.set(holder, heldBytes);
    else this.#heldBytes.delete(holder);
    this.#freeBytes += bytes;
  }
}

export type ByteShare = {
  /** Adds bytes to the share; false if there is no room for them, and the share stays as it is. */
  readonly take: (bytes: number) => boolean;
  /** Gives all of it back. */
  readonly release: () => void;
};
