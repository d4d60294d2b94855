// The route of the workspace settings.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export const workspaceRoute = createRoute({
  path: "/settings/workspace",
  getParentRoute: () => frameRoute,
  component: lazyScreen(() => import("./workspace.tsx"), "WorkspaceScreen"),
});
