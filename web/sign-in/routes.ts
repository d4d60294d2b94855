// The routes of signing in, outside the frame.
import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../frame/route.ts";
import { lazyScreen } from "../chunks.tsx";

type Next = { readonly next?: string };

const signIn = createRoute({
  path: "/sign-in",
  getParentRoute: () => rootRoute,
  // Where to go then: a page of ours, as the router names it.
  validateSearch: ({ next }: Record<string, unknown>): Next =>
    typeof next === "string" && /^\/(?!\/|sign-in)/.test(next) ? { next } : {},
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

export const signInRoutes = [signIn, welcome, invitation] as const;
