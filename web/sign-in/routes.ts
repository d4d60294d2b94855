// The routes of signing in, outside the frame.
import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

type Next = { readonly next?: string };
type Errand = Next & { readonly errand?: "link" | "prove" };

/** As the browser came: the router reads numbers into a query, and writes them otherwise. */
const arrivedWith = location.search;

const signIn = createRoute({
  path: "/sign-in",
  getParentRoute: () => rootRoute,
  // Where to go then: a page of ours, as the router names it.
  validateSearch: nextIn,
  component: lazyScreen(() => import("./sign-in.tsx"), "SignIn"),
});

const welcome = createRoute({
  path: "/welcome",
  getParentRoute: () => rootRoute,
  component: lazyScreen(() => import("./link.tsx"), "LinkPage"),
});

const invitation = createRoute({
  path: "/invitation",
  getParentRoute: () => rootRoute,
  component: lazyScreen(() => import("./link.tsx"), "LinkPage"),
});

const provider = createRoute({
  path: "/provider/$name",
  getParentRoute: () => rootRoute,
  validateSearch: ({ errand, ...rest }: Record<string, unknown>): Errand => ({
    ...nextIn(rest),
    ...(errand === "link" || errand === "prove" ? { errand } : {}),
  }),
  loader: () => arrivedWith,
  component: lazyScreen(() => import("./provider-page.tsx"), "ProviderPage"),
});

function nextIn({ next }: Record<string, unknown>): Next {
  return typeof next === "string" && /^\/(?!\/|sign-in)/.test(next) ? { next } : {};
}

export const signInRoutes = [signIn, welcome, invitation, provider] as const;
