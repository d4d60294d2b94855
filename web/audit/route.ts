// The route of the audit log.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";
import type { AuditSearch } from "./search.ts";

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
