// The routes of forms: the list, and one with its tabs.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

export type FormsSearch = { readonly search?: string };

export const TABS = ["editor", "embed", "results"] as const;
export type Tab = (typeof TABS)[number];
export type FormSearch = { readonly tab?: Tab };

export const formsRoute = createRoute({
  path: "/forms",
  getParentRoute: () => frameRoute,
  validateSearch: ({ search }: Record<string, unknown>): FormsSearch => (search ? { search: String(search) } : {}),
  component: lazyScreen(() => import("./list.tsx"), "Forms"),
});

export const formRoute = createRoute({
  path: "/forms/$id",
  getParentRoute: () => frameRoute,
  validateSearch: ({ tab }: Record<string, unknown>): FormSearch => {
    const known = TABS.find((name) => name === tab);
    return known ? { tab: known } : {};
  },
  component: lazyScreen(() => import("./form.tsx"), "FormScreen"),
});
