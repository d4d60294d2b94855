// The routes of people: the list, a person, the import.
import { createRoute } from "@tanstack/react-router";
import { frameRoute } from "../frame/route.ts";
import type { PeopleFilters, KeyKind } from "./filters.ts";
import { lazyScreen } from "../chunks.tsx";

export const peopleRoute = createRoute({
  path: "/people",
  getParentRoute: () => frameRoute,
  // Not validated here, because every page loads this file: the screens use what they know. `make`: the form for a new
  // person is open.
  validateSearch: (given: PeopleFilters & { readonly make?: string }) => given,
  component: lazyScreen(() => import("./screens.ts"), "PeopleScreen"),
});

export const importRoute = createRoute({
  path: "/people/import",
  getParentRoute: () => frameRoute,
  // `job`: an import that has started; it can be viewed and undone. `from`: move from another product.
  validateSearch: (given: { readonly job?: string; readonly from?: "product" }) => given,
  component: lazyScreen(() => import("./screens.ts"), "ImportScreen"),
});

export const duplicatesRoute = createRoute({
  path: "/people/duplicates",
  getParentRoute: () => frameRoute,
  component: lazyScreen(() => import("./screens.ts"), "DuplicatesScreen"),
});

export const personRoute = createRoute({
  path: "/people/$id",
  getParentRoute: () => frameRoute,
  validateSearch: (given: { readonly kind?: KeyKind }) => given,
  component: lazyScreen(() => import("./screens.ts"), "PersonScreen"),
});
