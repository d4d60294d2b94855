// From one person to the next, in the order of the list that was looked at last.
import { useNavigate } from "@tanstack/react-router";
import { useKey } from "../keyboard.ts";
import type { Kind } from "./filters.ts";
import { signal, useSignal } from "../signal.ts";

type Walked = { readonly ids: readonly string[]; readonly total: number };

/** As far as the list is known. */
export const lastList = signal<Walked>({ ids: [], total: 0 });

/** `j` and `k` lead on; null where the person was not in the list. */
export function useWalk(id: string, kind: Kind | undefined): { readonly place: number; readonly total: number } | null {
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
