// Draws of the demo: the same in each, so that two demos tell the same story.

export type Chance = {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
};

/** The generator mulberry32. */
export function chance(seed: number): Chance {
  let state = seed | 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: <T>(values: readonly T[]): T => values[below(values.length)] as T };
}
