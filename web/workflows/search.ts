// The search parameters of a workflow: tab, selected step, open number.
import { getRouteApi } from "@tanstack/react-router";
import { compact } from "../compact.ts";

export const TABS = ["canvas", "people", "past", "unstarted"] as const;
export type Tab = (typeof TABS)[number];
export const STATES = ["reached", "here", "passed", "skipped", "failed", "stopped", "cancelled"] as const;
export type StateAtStep = (typeof STATES)[number];
export const STATUSES = ["inside", "COMPLETED", "EXITED", "FAILED", "CANCELLED"] as const;

export type WorkflowSearch = {
  readonly tab?: Exclude<Tab, "canvas">;
  readonly view?: "list";
  /** The chosen step; with `state` the people of that number of it. */
  readonly step?: string;
  readonly state?: StateAtStep;
  readonly branch?: string;
  /** Of the people in it. */
  readonly status?: (typeof STATUSES)[number];
};

const route = getRouteApi("/frame/workflows/$id");

/** Unknown values are ignored. */
export function useWorkflowSearch(): WorkflowSearch {
  const { tab, view, step, state, branch, status } = route.useSearch();
  const [at, are] = [STATES.find((one) => one === state), STATUSES.find((one) => one === status)];
  return compact({
    tab: tab === "people" || tab === "past" || tab === "unstarted" ? tab : undefined,
    view: view === "list" ? view : undefined,
    step: step ? String(step) : undefined,
    state: at,
    branch: branch ? String(branch) : undefined,
    status: are,
  });
}
