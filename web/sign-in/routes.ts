// The routes of the sign-in pages, outside of the frame.
import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

type SignInSearch = { readonly next?: string | undefined };
type Errand = SignInSearch & { readonly errand?: "prove" | undefined };

/** The original query: the router would parse numbers and write them differently. */
const arrivedWith = location.search;

const signIn = createRoute({
  path: "/sign-in",
  getParentRoute: () => rootRoute,
  // `next`: the page of the app after the sign-in.
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
  // `link` is not taken from the URL: another site could open it, and link an account of its own at the provider.
  validateSearch: ({ errand, ...rest }: Record<string, unknown>): Errand => ({
    ...nextIn(rest),
    errand: errand === "prove" ? errand : undefined,
  }),
  loader: () => arrivedWith,
  component: lazyScreen(() => import("./provider-page.tsx"), "ProviderPage"),
});

/** Returned even if undefined: a missing key would keep the URL's value. */
function nextIn({ next }: Record<string, unknown>): SignInSearch {
  return { next: typeof next === "string" && /^\/(?!\/|sign-in)/.test(next) ? next : undefined };
}

export const signInRoutes = [signIn, welcome, invitation, provider] as const;
