// The number of typos between two words, and the known name that a misspelt one most likely means.

/** Letters left out, put in, changed or swapped with their neighbour (optimal string alignment). */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const changed = (last[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const fewest = Math.min(changed, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(isSwap ? Math.min(fewest, (beforeLast[column - 2] ?? 0) + 1) : fewest);
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}

/** The candidate that is spelt most like `name`; null = none is near enough. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const furthest = 1 + Math.floor(name.length / 5);
  let best: { candidate: string | null; distance: number } = { candidate: null, distance: furthest + 1 };
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate);
    if (distance < best.distance) best = { candidate, distance };
  }
  return best.candidate;
}
