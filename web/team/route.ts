// The route of the team.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export const teamRoute = createRoute({
  path: "/settings/team",
  getParentRoute: () => frameRoute,
  component: lazyScreen(() => import("./team.tsx"), "TeamScreen"),
});
