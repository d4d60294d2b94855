// The context that all parts of an open builder share.
import { createContext, use } from "react";
import type { FieldFault } from "../api.ts";
import type { GroupNode, ConditionNode } from "./draft.ts";
import type { KnownNames } from "./known-names.ts";
import type { ConditionCounts } from "./counts.ts";
import type { ConditionNames } from "./describe.ts";

type ConditionEditor = {
  readonly draft: GroupNode;
  readonly change: (next: GroupNode, merge?: string) => void;
  readonly places: ReadonlyMap<number, string>;
  readonly numbers: ConditionCounts | undefined;
  readonly faults: readonly FieldFault[];
  readonly known: KnownNames;
  readonly words: ConditionNames;
  /** Shows who is left after it. */
  readonly open: (node: ConditionNode) => void;
};

const Context = createContext<ConditionEditor | null>(null);
export const Editing = Context.Provider;

export function useEditing(): ConditionEditor {
  return use(Context) as ConditionEditor;
}

/** How many people are left after it; undefined: not known. */
export function useRemaining({ id }: ConditionNode): number | undefined {
  const { numbers, places } = useEditing();
  const at = places.get(id);
  return at === undefined ? undefined : numbers?.perFilter.find((one) => one.at === at)?.remaining;
}

/** The error for this filter, whatever the body calls the condition. */
export function useFault({ id }: ConditionNode): FieldFault | undefined {
  const { faults, places } = useEditing();
  const at = places.get(id);
  if (!at) return undefined;
  return faults.find(({ field }) => field.slice(field.indexOf("groups."), field.lastIndexOf(".")) === at);
}
