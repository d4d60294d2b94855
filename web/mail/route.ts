// Where mail is: the list, and with an id the mail beside it.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { mailSearch } from "./filters.ts";

export const mailRoute = createRoute({
  path: "/mail",
  getParentRoute: () => frameRoute,
  validateSearch: mailSearch,
  component: lazyRouteComponent(() => import("./mail.tsx"), "MailScreen"),
});

/** The screen shows both, so that the list stays while mails are opened. */
export const openMailRoute = createRoute({ path: "$id", getParentRoute: () => mailRoute });
