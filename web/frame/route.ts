// The parent routes: the root, and the frame for signed-in users.
import { createRootRoute, createRoute, redirect } from "@tanstack/react-router";
import { isSignedOut, workspaceId } from "../calls/api.ts";
import { queries } from "../calls/queries.ts";
import { chooseWorkspace, meQuery } from "../calls/session.ts";
import { Frame } from "./frame.tsx";
import { NotFound, WholeErrorPage } from "./error-page.tsx";

export const rootRoute = createRootRoute({ notFoundComponent: NotFound, errorComponent: WholeErrorPage });

export const frameRoute = createRoute({
  id: "frame",
  getParentRoute: () => rootRoute,
  component: Frame,
  errorComponent: WholeErrorPage,
  beforeLoad: async ({ location }) => {
    const { workspace } = location.search as { readonly workspace?: unknown };
    try {
      const { workspaces } = await queries.ensureQueryData(meQuery);
      // A copied link names its workspace.
      const named = workspaces.find(({ id }) => id === workspace);
      if (named && named.id !== workspaceId.get()) chooseWorkspace(named.id);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect({ to: "/sign-in", search: { next: location.href } });
    }
  },
});

/** Unknown URLs, shown inside the frame. */
export const notFoundRoute = createRoute({ path: "$", getParentRoute: () => frameRoute, component: NotFound });
