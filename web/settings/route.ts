// The routes of the settings.
import { createRoute, redirect } from "@tanstack/react-router";
import { workspaceId } from "../calls/api.ts";
import { frameRoute } from "../frame/route.ts";
import { queries } from "../calls/queries.ts";
import { meQuery } from "../calls/session.ts";
import { firstTabFor } from "./tabs.ts";
import type { DeliveryOutcome } from "./webhooks/outcomes.ts";
import { lazyScreen } from "../chunks.tsx";

const indexRoute = createRoute({
  path: "/settings",
  getParentRoute: () => frameRoute,
  beforeLoad: async () => {
    const { workspaces } = await queries.ensureQueryData(meQuery);
    const own = workspaces.find(({ id }) => id === workspaceId.get()) ?? null;
    throw redirect({ to: firstTabFor(own), replace: true });
  },
});

const domainsRoute = createRoute({
  path: "/settings/domains/{-$id}",
  getParentRoute: () => frameRoute,
  component: lazyScreen(() => import("./domains/domains.tsx"), "Domains"),
});

const keysRoute = createRoute({
  path: "/settings/keys",
  getParentRoute: () => frameRoute,
  component: lazyScreen(() => import("./keys/keys.tsx"), "Keys"),
});

/** `for`: the program or language shown. */
type Lines = { readonly by: "smtp" | "api"; readonly for?: string };

const smtpRoute = createRoute({
  path: "/settings/smtp",
  getParentRoute: () => frameRoute,
  validateSearch: ({ by, for: name }): Lines => ({
    by: by === "api" ? "api" : "smtp",
    ...(typeof name === "string" ? { for: name } : {}),
  }),
  component: lazyScreen(() => import("./smtp/smtp.tsx"), "Smtp"),
});

type Attempts = { readonly outcome: DeliveryOutcome };

const webhooksRoute = createRoute({
  path: "/settings/webhooks",
  getParentRoute: () => frameRoute,
  validateSearch: ({ outcome }): Attempts => ({ outcome: outcome === "failed" ? outcome : "all" }),
  component: lazyScreen(() => import("./webhooks/webhooks.tsx"), "Webhooks"),
});

const webhookRoute = createRoute({
  path: "/settings/webhooks/$id",
  getParentRoute: () => frameRoute,
  validateSearch: ({ outcome }): Attempts => ({ outcome: outcome === "failed" ? outcome : "all" }),
  component: lazyScreen(() => import("./webhooks/hook.tsx"), "WebhookScreen"),
});

/** `new`, `import`: the dialog to create or to import a workspace is open. */
type ServerTab = { readonly new?: true; readonly import?: true };

const serverRoute = createRoute({
  path: "/settings/server",
  getParentRoute: () => frameRoute,
  validateSearch: (search: Record<string, unknown>): ServerTab => ({
    ...(String(search["new"]) === "true" ? { new: true } : {}),
    ...(String(search["import"]) === "true" ? { import: true } : {}),
  }),
  component: lazyScreen(() => import("./server/server.tsx"), "Server"),
});

const waysRoute = createRoute({
  path: "/settings/ways",
  getParentRoute: () => frameRoute,
  component: lazyScreen(() => import("./ways/ways.tsx"), "Ways"),
});

const alertsRoute = createRoute({
  path: "/settings/alerts",
  getParentRoute: () => frameRoute,
  component: lazyScreen(() => import("./alerts/alerts.tsx"), "Alerts"),
});

export const settingsRoutes = [
  indexRoute,
  domainsRoute,
  keysRoute,
  smtpRoute,
  webhooksRoute,
  webhookRoute,
  serverRoute,
  waysRoute,
  alertsRoute,
] as const;
