// The routes of templates: the list, and one template with its tabs.
import { createRoute } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";
import { TABS, type TemplateSearch, type TemplatesSearch } from "./search.ts";

export const templatesRoute = createRoute({
  path: "/templates",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search, type, make }: Record<string, unknown>): TemplatesSearch =>
    compact({
      search: typeof search === "string" && search !== "" ? search : undefined,
      type: type === "TRANSACTIONAL" || type === "MARKETING" ? type : undefined,
      make: make === true || make === "true" ? true : undefined,
    }),
  component: lazyScreen(() => import("./list.tsx"), "Templates"),
});

export const templateRoute = createRoute({
  path: "/templates/$id",
  getParentRoute: () => frameRoute,
  validateSearch: ({ tab }: Record<string, unknown>): TemplateSearch => {
    // Returned even if undefined: a missing key would keep the URL's value.
    const known = TABS.find((name) => name === tab && name !== "write");
    return { tab: known };
  },
  component: lazyScreen(() => import("./template.tsx"), "TemplateScreen"),
});
