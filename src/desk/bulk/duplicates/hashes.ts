// The hashes that occur more than once among millions: kept as numbers, in parts that are sorted one by one, so that no
// request waits.
import { letOthersRun } from "../../../audience/csv/records.ts";

const PARTS = 1_024;
const FIRST_ROOM = 64;

export class Hashes {
  readonly #parts = Array.from({ length: PARTS }, () => new Float64Array(0));
  readonly #lengths = new Uint32Array(PARTS);

  add(hash: number): void {
    const at = hash % PARTS;
    const length = this.#lengths[at] ?? 0;
    let part = this.#parts[at] as Float64Array<ArrayBuffer>;
    if (length === part.length) {
      const larger = new Float64Array(Math.max(FIRST_ROOM, Math.ceil(part.length * 1.5)));
      larger.set(part);
      part = this.#parts[at] = larger;
    }
    part[length] = hash;
    this.#lengths[at] = length + 1;
  }

  /** Up to `most` hashes that occurred more than once. */
  async repeated(most: number): Promise<ReadonlySet<number>> {
    const found = new Set<number>();
    for (const [at, part] of this.#parts.entries()) {
      const sorted = part.subarray(0, this.#lengths[at]).sort();
      for (let index = 1; index < sorted.length && found.size < most; index++)
        if (sorted[index] === sorted[index - 1]) found.add(sorted[index] as number);
      if (at % 16 === 0) await letOthersRun();
    }
    return found;
  }
}
