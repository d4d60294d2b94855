// The route of statistics; range and grouping are in the URL.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { rangeIn, type Range } from "../overview/range.ts";
import { lazyScreen } from "../chunks.tsx";

export type StatisticsSearch = Range & { readonly group?: string };

export const statisticsRoute = createRoute({
  path: "/statistics",
  getParentRoute: () => frameRoute,
  validateSearch: (search: Record<string, unknown>): StatisticsSearch => ({
    ...rangeIn(search),
    ...(search["group"] ? { group: String(search["group"]) } : {}),
  }),
  component: lazyScreen(() => import("./statistics.tsx"), "StatisticsScreen"),
});
