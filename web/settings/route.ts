// The routes of the settings.
import { createRoute, redirect } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import type { Outcome } from "./webhooks/outcomes.ts";
import { lazyScreen } from "../chunks.tsx";

const settingsRoute = createRoute({ path: "/settings", getParentRoute: () => frameRoute });

const indexRoute = createRoute({
  path: "/",
  getParentRoute: () => settingsRoute,
  beforeLoad: () => {
    throw redirect({ to: "/settings/domains/{-$id}", replace: true });
  },
});

const domainsRoute = createRoute({
  path: "/domains/{-$id}",
  getParentRoute: () => settingsRoute,
  component: lazyScreen(() => import("./domains/domains.tsx"), "Domains"),
});

const keysRoute = createRoute({
  path: "/keys",
  getParentRoute: () => settingsRoute,
  component: lazyScreen(() => import("./keys/keys.tsx"), "Keys"),
});

/** `for`: the program or language shown. */
type Lines = { readonly by: "smtp" | "api"; readonly for?: string };

const smtpRoute = createRoute({
  path: "/smtp",
  getParentRoute: () => settingsRoute,
  validateSearch: ({ by, for: name }): Lines => ({
    by: by === "api" ? "api" : "smtp",
    ...(typeof name === "string" ? { for: name } : {}),
  }),
  component: lazyScreen(() => import("./smtp/smtp.tsx"), "Smtp"),
});

type Attempts = { readonly outcome: Outcome };

const webhooksRoute = createRoute({
  path: "/webhooks",
  getParentRoute: () => settingsRoute,
  validateSearch: ({ outcome }): Attempts => ({ outcome: outcome === "failed" ? outcome : "all" }),
  component: lazyScreen(() => import("./webhooks/webhooks.tsx"), "Webhooks"),
});

/** `new`: the dialog for a new workspace is open. */
type ServerTab = { readonly new?: true };

const serverRoute = createRoute({
  path: "/server",
  getParentRoute: () => settingsRoute,
  validateSearch: (search: Record<string, unknown>): ServerTab =>
    String(search["new"]) === "true" ? { new: true } : {},
  component: lazyScreen(() => import("./server/server.tsx"), "Server"),
});

export const settingsRoutes = settingsRoute.addChildren([
  indexRoute,
  domainsRoute,
  keysRoute,
  smtpRoute,
  webhooksRoute,
  serverRoute,
]);
