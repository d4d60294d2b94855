// Scans numbered rows of which few may match: a bounded number for each request, in reads that grow.
import type { Reader, Store } from "../../../store/store.ts";

/** The rows of each read: frequent matches are found in the first. */
const STRETCHES = [1_000, 9_000, ...Array.from({ length: 5 }, () => 20_000)];

export type RowStretch = { readonly after: number; readonly rows: number; readonly wanted: number };

/**
 * `found`: the first matching rows, in order, no more than wanted. `end`: the last row of the stretch; null = there are
 * no more rows.
 */
export type StretchReader = (
  reader: Reader,
  stretch: RowStretch,
) => Promise<{ readonly found: readonly number[]; readonly end: number | null }>;

type StretchOptions = { readonly workspace: number; readonly after: number; readonly limit: number };

/**
 * The rows that match, in order, up to `limit`, and the row after which the scan goes on; null = there are no others.
 */
export async function gather(
  store: Store,
  { workspace, after, limit }: StretchOptions,
  look: StretchReader,
): Promise<{ readonly found: readonly number[]; readonly next: number | null }> {
  const found: number[] = [];
  let reached = after;
  for (const [place, rows] of STRETCHES.entries()) {
    const stretch = { after: reached, rows, wanted: limit + 1 - found.length };
    const seen = await store.read(
      (reader) => look(reader, stretch),
      place === 0 ? { inTurn: true } : { longFor: workspace },
    );
    found.push(...seen.found);
    if (found.length > limit) return { found: found.slice(0, limit), next: found[limit - 1] ?? null };
    if (seen.end === null) return { found, next: null };
    reached = seen.end;
  }
  return { found, next: reached };
}
