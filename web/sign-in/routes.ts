// The routes of signing in, outside the frame.
import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

type SignInSearch = { readonly next?: string | undefined };
type Errand = SignInSearch & { readonly errand?: "prove" | undefined };

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
  // An account is linked from its own page alone: another site may open this address, as somebody else at the provider.
  validateSearch: ({ errand, ...rest }: Record<string, unknown>): Errand => ({
    ...nextIn(rest),
    errand: errand === "prove" ? errand : undefined,
  }),
  loader: () => arrivedWith,
  component: lazyScreen(() => import("./provider-page.tsx"), "ProviderPage"),
});

/** What is left out here would stay as it came. */
function nextIn({ next }: Record<string, unknown>): SignInSearch {
  return { next: typeof next === "string" && /^\/(?!\/|sign-in)/.test(next) ? next : undefined };
}

export const signInRoutes = [signIn, welcome, invitation, provider] as const;
