// The route of the first start; its step is in the URL.
import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../chunks.tsx";
import { frameRoute } from "../frame/route.ts";
import { stepIn, type FirstStartStep } from "./step-names.ts";

type FirstStartSearch = { readonly step?: FirstStartStep | undefined };

export const firstStartRoute = createRoute({
  path: "/first-start",
  getParentRoute: () => frameRoute,
  validateSearch: ({ step }: Record<string, unknown>): FirstStartSearch => ({ step: stepIn(step) }),
  component: lazyScreen(() => import("./first-start.tsx"), "FirstStart"),
});
