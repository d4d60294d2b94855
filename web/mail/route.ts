// The routes of Mail: the list, and one email beside it.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { mailSearch } from "./filters.ts";

export const mailRoute = createRoute({
  path: "/mail",
  getParentRoute: () => frameRoute,
  validateSearch: mailSearch,
  component: lazyRouteComponent(() => import("./mail.tsx"), "MailScreen"),
});

/** One screen for both, so the list stays while emails open. */
export const openMailRoute = createRoute({ path: "$id", getParentRoute: () => mailRoute });
