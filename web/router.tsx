// Every address of the face. A screen is loaded when it is first opened.
import { createRouter } from "@tanstack/react-router";
import { auditRoute } from "./audit/route.ts";
import { doorRoutes } from "./door/routes.ts";
import { frameRoute, nowhereRoute, rootRoute } from "./frame/route.ts";
import { NotFound, Wrong } from "./frame/wrong.tsx";
import { meRoute } from "./me/route.ts";
import { mailRoute, openMailRoute } from "./mail/route.ts";
import { overviewRoute } from "./overview/route.ts";
import { recipientPagesRoute } from "./recipient-pages/route.ts";
import { setUpRoutes } from "./set-up/route.ts";
import { teamRoute } from "./team/route.ts";
import { workspaceRoute } from "./workspace/route.ts";

const tree = rootRoute.addChildren([
  ...doorRoutes,
  frameRoute.addChildren([
    nowhereRoute,
    overviewRoute,
    mailRoute.addChildren([openMailRoute]),
    setUpRoutes,
    workspaceRoute,
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
  // Queries have ages of their own.
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: Wrong,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
