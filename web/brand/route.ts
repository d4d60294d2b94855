// The route of the brand screen.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export const brandRoute = createRoute({
  path: "/settings/brand",
  getParentRoute: () => frameRoute,
  component: lazyScreen(() => import("./brand.tsx"), "BrandScreen"),
});
