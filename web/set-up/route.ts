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

const keysRoute = createRoute({
  path: "/keys",
  getParentRoute: () => setUpRoute,
  component: lazyRouteComponent(() => import("./keys/keys.tsx"), "Keys"),
});

/** `for`: the program or language whose lines are shown. */
type Lines = { readonly by: "smtp" | "api"; readonly for?: string };

const smtpRoute = createRoute({
  path: "/smtp",
  getParentRoute: () => setUpRoute,
  validateSearch: ({ by, for: name }): Lines => ({
    by: by === "api" ? "api" : "smtp",
    ...(typeof name === "string" ? { for: name } : {}),
  }),
  component: lazyRouteComponent(() => import("./smtp/smtp.tsx"), "Smtp"),
});

export const setUpRoutes = setUpRoute.addChildren([indexRoute, domainsRoute, keysRoute, smtpRoute]);
