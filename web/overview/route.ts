// Where the overview is.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";

export const overviewRoute = createRoute({
  path: "/",
  getParentRoute: () => frameRoute,
  component: lazyRouteComponent(() => import("./overview.tsx"), "Overview"),
});
