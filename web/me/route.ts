// The route of the account page.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export const meRoute = createRoute({
  path: "/me",
  getParentRoute: () => frameRoute,
  component: lazyScreen(() => import("./me.tsx"), "MeScreen"),
});
