// The route of events. Its filters are in the URL.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { eventsSearch } from "./search.ts";

export const eventsRoute = createRoute({
  path: "/events",
  getParentRoute: () => frameRoute,
  validateSearch: eventsSearch,
  component: lazyRouteComponent(() => import("./events.tsx"), "Events"),
});
