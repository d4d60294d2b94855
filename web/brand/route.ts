// The route of the brand screen.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";

export const brandRoute = createRoute({
  path: "/settings/brand",
  getParentRoute: () => frameRoute,
  component: lazyRouteComponent(() => import("./brand.tsx"), "BrandScreen"),
});
