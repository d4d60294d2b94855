// The route of suppressions.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export const REASONS = ["bounce", "complaint", "soft-bounces", "manual", "import", "erased"] as const;
export type Reason = (typeof REASONS)[number];
export type SuppressionsSearch = { readonly search?: string; readonly reason?: Reason };

export const suppressionsRoute = createRoute({
  path: "/suppressions",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search, reason }: Record<string, unknown>): SuppressionsSearch => {
    const known = REASONS.find((name) => name === reason);
    return { ...(search ? { search: String(search) } : {}), ...(known ? { reason: known } : {}) };
  },
  component: lazyScreen(() => import("./list.tsx"), "Suppressions"),
});
