// The days shown: the last N, or a range selected in the chart. Kept in the URL and validated on use.

export type Range = { readonly days?: number; readonly from?: string; readonly to?: string };

export function rangeIn({ days, from, to }: Readonly<Record<string, unknown>>): Range {
  return { ...(days ? { days: Number(days) } : {}), ...(from && to ? { from: `${from}`, to: `${to}` } : {}) };
}
