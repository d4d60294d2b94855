// Where the parts of the set-up are.
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import type { Outcome } from "./webhooks/outcomes.ts";

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

type Attempts = { readonly outcome: Outcome };

const webhooksRoute = createRoute({
  path: "/webhooks",
  getParentRoute: () => setUpRoute,
  validateSearch: ({ outcome }): Attempts => ({ outcome: outcome === "failed" ? outcome : "all" }),
  component: lazyRouteComponent(() => import("./webhooks/webhooks.tsx"), "Webhooks"),
});

/** `new`: a workspace is being made. */
type OfServer = { readonly new?: true };

const serverRoute = createRoute({
  path: "/server",
  getParentRoute: () => setUpRoute,
  validateSearch: (search: Record<string, unknown>): OfServer =>
    String(search["new"]) === "true" ? { new: true } : {},
  component: lazyRouteComponent(() => import("./server/server.tsx"), "Server"),
});

export const setUpRoutes = setUpRoute.addChildren([
  indexRoute,
  domainsRoute,
  keysRoute,
  smtpRoute,
  webhooksRoute,
  serverRoute,
]);
