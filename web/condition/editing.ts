// The context that all parts of an open builder share.
import { createContext, use } from "react";
import type { FieldFault } from "../calls/api.ts";
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
  /** Lists the people who remain after this filter or group. */
  readonly open: (node: ConditionNode) => void;
};

const Context = createContext<ConditionEditor | null>(null);
export const Editing = Context.Provider;

export function useEditing(): ConditionEditor {
  return use(Context) as ConditionEditor;
}

/** How many people remain after this filter or group; undefined = not known. */
export function useRemaining({ id }: ConditionNode): number | undefined {
  const { numbers, places } = useEditing();
  const at = places.get(id);
  return at === undefined ? undefined : numbers?.perFilter.find((one) => one.at === at)?.remaining;
}

/** The error for this filter; its path may have any prefix before the condition. */
export function useFault({ id }: ConditionNode): FieldFault | undefined {
  const { faults, places } = useEditing();
  const at = places.get(id);
  if (!at) return undefined;
  return faults.find(({ field }) => field.slice(field.indexOf("groups."), field.lastIndexOf(".")) === at);
}
