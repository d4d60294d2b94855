// Where workflows are: the list, and one of them: its canvas or list of steps, the people in it, its past. Every page
// waits for this file: what addresses say is looked at by the screens.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import type { WorkflowSearch } from "./search.ts";

/** `make`: a new one is being made. */
export type WorkflowsSearch = { readonly search?: string; readonly make?: string };

export const workflowsRoute = createRoute({
  path: "/workflows",
  getParentRoute: () => frameRoute,
  validateSearch: (said: WorkflowsSearch) => said,
  component: lazyRouteComponent(() => import("./list.tsx"), "Workflows"),
});

export const workflowRoute = createRoute({
  path: "/workflows/$id",
  getParentRoute: () => frameRoute,
  validateSearch: (said: WorkflowSearch) => said,
  component: lazyRouteComponent(() => import("./workflow.tsx"), "WorkflowScreen"),
});
