// The routes of Mail: the list, and one email beside it.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { mailSearch } from "./filter/filters.ts";
import { lazyScreen } from "../chunks.tsx";

export const mailRoute = createRoute({
  path: "/mail",
  getParentRoute: () => frameRoute,
  validateSearch: mailSearch,
  component: lazyScreen(() => import("./mail.tsx"), "MailScreen"),
});

/** One screen for both, so the list stays while emails open. */
export const openMailRoute = createRoute({ path: "$id", getParentRoute: () => mailRoute });
