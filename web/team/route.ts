// The route of the team.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";

export const teamRoute = createRoute({
  path: "/settings/team",
  getParentRoute: () => frameRoute,
  component: lazyRouteComponent(() => import("./team.tsx"), "TeamScreen"),
});
