// Rows without a public id are known by their places in the file, from 1. Numbers only, since there may be millions.

/** Grows as it is filled: eight bytes a row. */
export class Places {
  #numbers = new Float64Array(1_024);
  #count = 0;

  /** Adds the number of the next row. */
  add(number: number): void {
    if (this.#count === this.#numbers.length) {
      const larger = new Float64Array(this.#count * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#count++] = number;
  }

  /** The place of a row whose number is known; null = it does not go. Numbers ascend. */
  placeOf(number: number): number | null {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#numbers[middle] as number) < number) low = middle + 1;
      else high = middle;
    }
    return low < this.#count && this.#numbers[low] === number ? low + 1 : null;
  }

  /** The number of the row at a place; null = there is no such row. */
  numberAt(place: number): number | null {
    return place <= this.#count ? (this.#numbers[place - 1] ?? null) : null;
  }

  /** 0 = none. */
  get last(): number {
    return this.#count === 0 ? 0 : (this.#numbers[this.#count - 1] as number);
  }
}
