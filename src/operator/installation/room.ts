// The installation room: the server as its owners see it, and its workspaces.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { InstallationOptions } from "./installation.ts";
import { installationRoutes } from "./routes.ts";
import { installationWorkspaceRoutes } from "./workspace-routes.ts";

export function openInstallation(
  ground: Ground,
  access: Access,
  others: Omit<InstallationOptions, "ground" | "startedMs">,
): Room {
  const { clock, secrets } = ground;
  const startedMs = { monotonic: clock.monotonicMs(), calendar: clock.nowMs() };
  return {
    routes: [
      installationRoutes(access, { ground, startedMs, ...others }),
      installationWorkspaceRoutes(access, secrets),
    ],
  };
}
