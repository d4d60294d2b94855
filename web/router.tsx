// All routes. A screen's code is loaded when it is first opened.
import { createRouter } from "@tanstack/react-router";
import { auditRoute } from "./audit/route.ts";
import { campaignRoute, campaignsRoute } from "./campaigns/route.ts";
import { brandRoute } from "./brand/route.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { eventsRoute } from "./events/route.ts";
import { firstStartRoute } from "./first-start/route.ts";
import { formRoute, formsRoute } from "./forms/route.ts";
import { frameRoute, notFoundRoute, rootRoute } from "./frame/route.ts";
import { NotFound, ErrorPage } from "./frame/error-page.tsx";
import { meRoute } from "./me/route.ts";
import { mailRoute, openMailRoute } from "./mail/route.ts";
import { duplicatesRoute, importRoute, peopleRoute, personRoute } from "./people/route.ts";
import { overviewRoute } from "./overview/route.ts";
import { recipientPagesRoute } from "./recipient-pages/route.ts";
import { newSegmentRoute, segmentRoute, segmentsRoute } from "./segments/route.ts";
import { settingsRoutes } from "./settings/route.ts";
import { statisticsRoute } from "./statistics/route.ts";
import { teamRoute } from "./team/route.ts";
import { templateRoute, templatesRoute } from "./templates/route.ts";
import { suppressionsRoute } from "./suppressions/route.ts";
import { topicsRoute } from "./topics/route.ts";
import { workflowRoute, workflowsRoute } from "./workflows/route.ts";
import { workspaceRoute } from "./workspace/route.ts";

const tree = rootRoute.addChildren([
  ...signInRoutes,
  frameRoute.addChildren([
    notFoundRoute,
    overviewRoute,
    firstStartRoute,
    mailRoute.addChildren([openMailRoute]),
    peopleRoute,
    importRoute,
    duplicatesRoute,
    personRoute,
    templatesRoute,
    templateRoute,
    segmentsRoute,
    newSegmentRoute,
    segmentRoute,
    topicsRoute,
    suppressionsRoute,
    formsRoute,
    formRoute,
    campaignsRoute,
    campaignRoute,
    workflowsRoute,
    workflowRoute,
    eventsRoute,
    statisticsRoute,
    ...settingsRoutes,
    workspaceRoute,
    brandRoute,
    teamRoute,
    meRoute,
    recipientPagesRoute,
    auditRoute,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: "/app",
  defaultPreload: "intent",
  // Queries have their own stale times.
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  // Plain values, held=true and search=4410; the default would write JSON with quotes.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: written,
});

/** Commas, colons and @ stay readable in the URL. */
function written(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(entries as [string, string][]).toString();
  return text && `?${text.replace(/%(2C|3A|40)/g, decodeURIComponent)}`;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
