// Medians, percentiles, sliding windows.

export type Latencies = { readonly p50: number; readonly p99: number; readonly max: number };

export function latencies(tookMs: readonly number[]): Latencies {
  const sorted = [...tookMs].sort((one, other) => one - other);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: sorted.at(-1) ?? 0 };
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((one, other) => one - other),
    0.5,
  );
}

/** The median of the ratios of what was measured side by side. */
export function medianRatio(ours: readonly number[], limits: readonly number[]): number {
  return median(ours.map((one, index) => one / (limits[index] ?? Number.NaN)));
}

/** The most moments that lie in any window of `widthMs`; `moments` ascending. */
export function mostInAnyWindow(moments: readonly number[], widthMs: number): number {
  let most = 0;
  let first = 0;
  moments.forEach((moment, index) => {
    while (moment - (moments[first] ?? moment) >= widthMs) first++;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
