// What every part of an open builder needs.
import { createContext, use } from "react";
import type { FieldFault } from "../api.ts";
import type { GroupNode, Node } from "./draft.ts";
import type { Known } from "./known.ts";
import type { Numbers } from "./numbers.ts";
import type { Words } from "./words.ts";

type Edited = {
  readonly draft: GroupNode;
  readonly change: (next: GroupNode, merge?: string) => void;
  readonly places: ReadonlyMap<number, string>;
  readonly numbers: Numbers | undefined;
  readonly faults: readonly FieldFault[];
  readonly known: Known;
  readonly words: Words;
  /** Shows who is left after it. */
  readonly open: (node: Node) => void;
};

const Context = createContext<Edited | null>(null);
export const Editing = Context.Provider;

export function useEditing(): Edited {
  return use(Context) as Edited;
}

/** How many people are left after it; undefined: not known. */
export function useRemaining({ id }: Node): number | undefined {
  const { numbers, places } = useEditing();
  const at = places.get(id);
  return at === undefined ? undefined : numbers?.perFilter.find((one) => one.at === at)?.remaining;
}

/** What the server refused of this filter, whatever the condition is called in the body. */
export function useFault({ id }: Node): FieldFault | undefined {
  const { faults, places } = useEditing();
  const at = places.get(id);
  if (!at) return undefined;
  return faults.find(({ field }) => field.slice(field.indexOf("groups."), field.lastIndexOf(".")) === at);
}
