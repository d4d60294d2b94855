// Random values that are the same in every run, so that a failure can be repeated.

export type Random = {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
  /** `length` picks, joined. */
  text(parts: readonly string[], length: number): string;
};

/** A generator by a linear congruence modulo 2^32 (Numerical Recipes' constants), high bits used. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  return { below, pick, text: (parts, length) => Array.from({ length }, () => pick(parts)).join("") };
}
