// Which days are looked at: the last ones, or what was chosen by dragging over the chart. As the address has it;
// checked when it is used.

export type Range = { readonly days?: number; readonly from?: string; readonly to?: string };

export function rangeIn({ days, from, to }: Readonly<Record<string, unknown>>): Range {
  return { ...(days ? { days: Number(days) } : {}), ...(from && to ? { from: `${from}`, to: `${to}` } : {}) };
}
