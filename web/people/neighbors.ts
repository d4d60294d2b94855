// The previous and next person in the order of the last list.
import { useNavigate } from "@tanstack/react-router";
import { useKey } from "../base/keyboard.ts";
import type { KeyKind } from "./filters.ts";
import { signal, useSignal } from "../base/signal.ts";

type LastList = { readonly ids: readonly string[]; readonly total: number };

/** The ids loaded so far. */
export const lastList = signal<LastList>({ ids: [], total: 0 });

/** `j` and `k` navigate; null if the person was not in the list. */
export function useNeighbors(
  id: string,
  kind: KeyKind | undefined,
): { readonly place: number; readonly total: number } | null {
  const { ids, total } = useSignal(lastList);
  const navigate = useNavigate();
  const at = ids.indexOf(id);
  const step = (by: number) => {
    const next = at === -1 ? undefined : ids[at + by];
    if (next !== undefined) void navigate({ to: "/people/$id", params: { id: next }, search: kind ? { kind } : {} });
  };
  useKey("j", () => step(1));
  useKey("k", () => step(-1));
  return at === -1 ? null : { place: at + 1, total: Math.max(total, ids.length) };
}
