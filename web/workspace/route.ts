// The route of the workspace settings.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";

export const workspaceRoute = createRoute({
  path: "/settings/workspace",
  getParentRoute: () => frameRoute,
  component: lazyRouteComponent(() => import("./workspace.tsx"), "WorkspaceScreen"),
});
