// The route of events. Its filters are in the URL.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { eventsSearch } from "./search.ts";
import { lazyScreen } from "../chunks.tsx";

export const eventsRoute = createRoute({
  path: "/events",
  getParentRoute: () => frameRoute,
  validateSearch: eventsSearch,
  component: lazyScreen(() => import("./events.tsx"), "Events"),
});
