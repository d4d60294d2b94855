// The routes that all others stand below: everything, and what needs somebody signed in.
import { createRootRoute, createRoute, redirect } from "@tanstack/react-router";
import { calledWorkspace, isSignedOut } from "../api.ts";
import { queries } from "../queries.ts";
import { chooseWorkspace, meQuery } from "../session.ts";
import { Frame } from "./frame.tsx";
import { NotFound, ErrorPage } from "./error-page.tsx";

export const rootRoute = createRootRoute({ notFoundComponent: NotFound, errorComponent: ErrorPage });

export const frameRoute = createRoute({
  id: "frame",
  getParentRoute: () => rootRoute,
  component: Frame,
  beforeLoad: async ({ location }) => {
    const { workspace } = location.search as { readonly workspace?: unknown };
    try {
      const { workspaces } = await queries.ensureQueryData(meQuery);
      // A link that somebody copied names its workspace.
      const named = workspaces.find(({ id }) => id === workspace);
      if (named && named.id !== calledWorkspace.get()) chooseWorkspace(named.id);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect({ to: "/sign-in", search: { next: location.href } });
    }
  },
});

/** Addresses that name nothing; the frame stays round them. */
export const nowhereRoute = createRoute({ path: "$", getParentRoute: () => frameRoute, component: NotFound });
