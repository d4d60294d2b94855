// The route of topics.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export type TopicsSearch = { readonly search?: string };

export const topicsRoute = createRoute({
  path: "/topics",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search }: Record<string, unknown>): TopicsSearch => (search ? { search: String(search) } : {}),
  component: lazyScreen(() => import("./list.tsx"), "Topics"),
});
