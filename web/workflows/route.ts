// The routes of workflows. Every page loads this file, so the screens parse the search parameters.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import type { WorkflowSearch } from "./search.ts";
import { lazyScreen } from "../chunks.tsx";

/** `make`: the dialog for a new one is open. `form`: whose people it is for. */
export type WorkflowsSearch = { readonly search?: string; readonly make?: string; readonly form?: string };

export const workflowsRoute = createRoute({
  path: "/workflows",
  getParentRoute: () => frameRoute,
  validateSearch: (search: WorkflowsSearch) => search,
  component: lazyScreen(() => import("./list.tsx"), "Workflows"),
});

export const workflowRoute = createRoute({
  path: "/workflows/$id",
  getParentRoute: () => frameRoute,
  validateSearch: (search: WorkflowSearch) => search,
  component: lazyScreen(() => import("./workflow.tsx"), "WorkflowScreen"),
});
