// The route of the overview; its range is in the URL.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { rangeIn } from "./range.ts";
import { lazyScreen } from "../chunks.tsx";

export const overviewRoute = createRoute({
  path: "/",
  getParentRoute: () => frameRoute,
  validateSearch: rangeIn,
  component: lazyScreen(() => import("./overview.tsx"), "Overview"),
});
