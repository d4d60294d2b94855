// The route of suppressions.
import { createRoute } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";
import { DIALOGS, REASONS, type SuppressionsSearch } from "./search.ts";

export const suppressionsRoute = createRoute({
  path: "/suppressions",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search, reason, open }: Record<string, unknown>): SuppressionsSearch =>
    compact({
      search: search ? String(search) : undefined,
      reason: REASONS.find((name) => name === reason),
      open: DIALOGS.find((name) => name === open),
    }),
  component: lazyScreen(() => import("./list.tsx"), "Suppressions"),
});
