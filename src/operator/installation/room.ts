// The installation room: the server as its owners see it, and its workspaces.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { InstallationOptions } from "./installation.ts";
import { installationRoutes } from "./routes.ts";
import { ruleRoutes } from "./rule-routes.ts";
import { wayRoutes } from "./way-routes.ts";
import { wayWarmupRoutes } from "./way-warmup-routes.ts";
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
      wayRoutes(access, ground, others.outgoing),
      wayWarmupRoutes(access, ground),
      ruleRoutes(access, ground, others.outgoing),
    ],
  };
}
