// The route of the audit log.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export type AuditSearch = {
  readonly of?: "installation";
  /** The id of a person or key set. */
  readonly who?: string;
  readonly kind?: "PERSON" | "KEY" | "COMMAND_LINE";
  /** In the name of what was changed. */
  readonly search?: string;
};

export const auditRoute = createRoute({
  path: "/settings/team/audit",
  getParentRoute: () => frameRoute,
  validateSearch: ({ of, who, kind, search }: Record<string, unknown>): AuditSearch => ({
    ...(of === "installation" ? { of } : {}),
    ...(typeof who === "string" ? { who } : {}),
    ...(typeof search === "string" && search !== "" ? { search } : {}),
    ...(kind === "PERSON" || kind === "KEY" || kind === "COMMAND_LINE" ? { kind } : {}),
  }),
  component: lazyScreen(() => import("./audit.tsx"), "AuditScreen"),
});
