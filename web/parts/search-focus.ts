// After Enter or ArrowDown in a search field, the focus goes to the first result, once the list has it.
import { useEffect } from "react";
import { signal, useSignal } from "../signal.ts";

type FocusFilters = Readonly<Record<string, string | undefined>>;

/** The filters whose results are waited for. */
export const resultsWanted = signal<FocusFilters | null>(null);

type Results = {
  readonly filters: FocusFilters;
  /** Undefined while they are on their way. */
  readonly count: number | undefined;
  readonly focusFirst: () => void;
};

/** Of a list below a search field. Where nothing is found, the focus stays in the field. */
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
