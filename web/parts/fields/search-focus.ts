// After Enter or ArrowDown in a search field, the first result gets the focus once the list has loaded.
import { useEffect } from "react";
import { signal, useSignal } from "../../base/signal.ts";

type FocusFilters = Readonly<Record<string, string | undefined>>;

/** The filters whose results will get the focus. */
export const resultsWanted = signal<FocusFilters | null>(null);

type Results = {
  readonly filters: FocusFilters;
  /** Undefined while loading. */
  readonly count: number | undefined;
  readonly focusFirst: () => void;
};

/** For a list below a search field. Without results, the focus stays in the field. */
export function useSearchFocus({ filters, count, focusFirst }: Results): void {
  const wanted = useSignal(resultsWanted);
  const isThere = wanted !== null && count !== undefined && isSame(wanted, filters);
  useEffect(() => {
    if (!isThere) return;
    resultsWanted.set(null);
    if (count > 0 && document.activeElement?.matches("[role=searchbox]")) focusFirst();
  }, [isThere]);
}

function isSame(one: FocusFilters, other: FocusFilters): boolean {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => one[name] === other[name]);
}
