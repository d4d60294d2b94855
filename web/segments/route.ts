// The routes of segments: the list, a new one, and one with its tabs.
import { createRoute } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";
import { TABS, type NewSegmentSearch, type SegmentSearch, type SegmentsSearch } from "./search.ts";

export const segmentsRoute = createRoute({
  path: "/segments",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search }: Record<string, unknown>): SegmentsSearch => (search ? { search: String(search) } : {}),
  component: lazyScreen(() => import("./list.tsx"), "Segments"),
});

export const newSegmentRoute = createRoute({
  path: "/segments/new",
  getParentRoute: () => frameRoute,
  validateSearch: ({ event }: Record<string, unknown>): NewSegmentSearch => (event ? { event: String(event) } : {}),
  component: lazyScreen(() => import("./new-segment.tsx"), "NewSegment"),
});

export const segmentRoute = createRoute({
  path: "/segments/$id",
  getParentRoute: () => frameRoute,
  validateSearch: ({ tab, why }: Record<string, unknown>): SegmentSearch => {
    // Returned even if undefined: a missing key would keep the URL's value.
    const known = TABS.find((name) => name === tab);
    return { tab: known, ...compact({ why: why ? String(why) : undefined }) };
  },
  component: lazyScreen(() => import("./segment.tsx"), "SegmentScreen"),
});
