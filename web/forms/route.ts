// The routes of forms: the list, and one form with its tabs.
import { createRoute } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";
import { TABS, type FormSearch, type FormsSearch } from "./search.ts";

export const formsRoute = createRoute({
  path: "/forms",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search, topic, make }: Record<string, unknown>): FormsSearch =>
    compact({
      search: search ? String(search) : undefined,
      topic: topic ? String(topic) : undefined,
      make: make === true || make === "true" ? true : undefined,
    }),
  component: lazyScreen(() => import("./list.tsx"), "Forms"),
});

export const formRoute = createRoute({
  path: "/forms/$id",
  getParentRoute: () => frameRoute,
  validateSearch: ({ tab }: Record<string, unknown>): FormSearch => {
    // Returned even if undefined: a missing key would keep the URL's value.
    const known = TABS.find((name) => name === tab);
    return { tab: known };
  },
  component: lazyScreen(() => import("./form.tsx"), "FormScreen"),
});
