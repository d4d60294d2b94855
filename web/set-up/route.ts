// Where the parts of the set-up are.
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";

const setUpRoute = createRoute({ path: "/set-up", getParentRoute: () => frameRoute });

const indexRoute = createRoute({
  path: "/",
  getParentRoute: () => setUpRoute,
  beforeLoad: () => {
    throw redirect({ to: "/set-up/domains/{-$id}", replace: true });
  },
});

const domainsRoute = createRoute({
  path: "/domains/{-$id}",
  getParentRoute: () => setUpRoute,
  component: lazyRouteComponent(() => import("./domains/domains.tsx"), "Domains"),
});

export const setUpRoutes = setUpRoute.addChildren([indexRoute, domainsRoute]);
