// The search parameters of the list of workflows, and of one: tab, selected step, open number.
import { getRouteApi } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";

export const TABS = ["canvas", "people", "past", "unstarted"] as const;
export type WorkflowTab = (typeof TABS)[number];
export const STATES = ["reached", "here", "passed", "skipped", "failed", "stopped", "cancelled"] as const;
export type StateAtStep = (typeof STATES)[number];
/** The counts of the whole workflow, by the tab that lists their people. */
export const INSIDE = ["inside", "started"] as const;
export const ENDED = ["ended", "failed", "cancelled"] as const;
export type StateInWorkflow = (typeof INSIDE)[number] | (typeof ENDED)[number];

/** `make`: the dialog for a new workflow is open. `form`: the form whose sign-ups start it. */
export type WorkflowsSearch = { readonly search?: string; readonly make?: string; readonly form?: string };

export type WorkflowSearch = {
  readonly tab?: Exclude<WorkflowTab, "canvas">;
  readonly view?: "list";
  /** The selected step; with `state`, the people behind that count. */
  readonly step?: string;
  readonly state?: StateAtStep;
  readonly branch?: string;
  /** On a tab of people: the count whose people it lists. */
  readonly of?: StateInWorkflow;
};

const route = getRouteApi("/frame/workflows/$id");

/** Unknown values are ignored. */
export function useWorkflowSearch(): WorkflowSearch {
  const { tab, view, step, state, branch, of } = route.useSearch();
  return compact({
    tab: tab === "people" || tab === "past" || tab === "unstarted" ? tab : undefined,
    view: view === "list" ? view : undefined,
    step: step ? String(step) : undefined,
    state: STATES.find((one) => one === state),
    branch: branch ? String(branch) : undefined,
    of: [...INSIDE, ...ENDED].find((one) => one === of),
  });
}
