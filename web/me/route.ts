// The route of the account page.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";

export const meRoute = createRoute({
  path: "/me",
  getParentRoute: () => frameRoute,
  component: lazyRouteComponent(() => import("./me.tsx"), "MeScreen"),
});
