// How many slips of the fingers lie between two words.

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
