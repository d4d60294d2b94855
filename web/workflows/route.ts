// The routes of workflows. Every page loads this file, so the screens parse the search parameters.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import type { WorkflowSearch, WorkflowsSearch } from "./search.ts";
import { lazyScreen } from "../chunks.tsx";

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
