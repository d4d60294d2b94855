// How close together mails left.

/** The most of these moments in any window of `windowMs`, both ends included. */
export function mostWithin(windowMs: number, momentsMs: readonly number[]): number {
  const sorted = momentsMs.toSorted((one, other) => one - other);
  let [most, first] = [0, 0];
  sorted.forEach((atMs, last) => {
    while (atMs - (sorted[first] as number) > windowMs) first++;
    most = Math.max(most, last - first + 1);
  });
  return most;
}
