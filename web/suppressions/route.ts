// The route of suppressions.
import { createRoute } from "@tanstack/react-router";
import { compact } from "../compact.ts";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export const REASONS = ["bounce", "complaint", "soft-bounces", "manual", "import", "erased"] as const;
const DIALOGS = ["add", "import"] as const;
export type Reason = (typeof REASONS)[number];
/** `open`: the dialog that is open. */
export type SuppressionsSearch = {
  readonly search?: string;
  readonly reason?: Reason;
  readonly open?: "add" | "import";
};

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
