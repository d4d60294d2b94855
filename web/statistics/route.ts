// Where the statistics are; the days and the groups that they show are in the address.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { rangeIn, type Range } from "../overview/range.ts";

export type StatisticsSearch = Range & { readonly group?: string };

export const statisticsRoute = createRoute({
  path: "/statistics",
  getParentRoute: () => frameRoute,
  validateSearch: (said: Record<string, unknown>): StatisticsSearch => ({
    ...rangeIn(said),
    ...(said["group"] ? { group: String(said["group"]) } : {}),
  }),
  component: lazyRouteComponent(() => import("./statistics.tsx"), "StatisticsScreen"),
});
