// The route of the overview; its range is in the URL.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { rangeIn } from "./range.ts";

export const overviewRoute = createRoute({
  path: "/",
  getParentRoute: () => frameRoute,
  validateSearch: rangeIn,
  component: lazyRouteComponent(() => import("./overview.tsx"), "Overview"),
});
