// The route of topics.
import { createRoute } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

/** `make`: the dialog for a new topic is open. */
export type TopicsSearch = { readonly search?: string; readonly make?: true };

export const topicsRoute = createRoute({
  path: "/topics",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search, make }: Record<string, unknown>): TopicsSearch =>
    compact({
      search: search ? String(search) : undefined,
      make: make === true || make === "true" ? true : undefined,
    }),
  component: lazyScreen(() => import("./list.tsx"), "Topics"),
});
