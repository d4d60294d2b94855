// The days shown: the last ones, or a range selected in the chart. Kept in the URL and checked when used.

export type Range = { readonly days?: number; readonly from?: string; readonly to?: string };

export function rangeIn({ days, from, to }: Readonly<Record<string, unknown>>): Range {
  return { ...(days ? { days: Number(days) } : {}), ...(from && to ? { from: `${from}`, to: `${to}` } : {}) };
}
