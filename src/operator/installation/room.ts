// The installation room: the server as its owners see it, its settings, and its workspaces.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { recallUnconfirmed } from "../../ground/settings/keep.ts";
import { noteBack } from "./change-configuration.ts";
import type { InstallationOptions } from "./installation.ts";
import { configurationRoutes } from "./configuration-routes.ts";
import { tryBackup, tryingWay, tryProviders, type TrySettings } from "./try-settings.ts";
import { installationRoutes } from "./routes.ts";
import { installationWorkspaceRoutes } from "./workspace-routes.ts";

export function openInstallation(
  ground: Ground,
  access: Access,
  { tries, ...others }: Omit<InstallationOptions, "ground" | "startedMs"> & { readonly tries: readonly TrySettings[] },
): Room {
  const { clock, secrets, settings } = ground;
  const { outgoing } = others;
  const startedMs = { monotonic: clock.monotonicMs(), calendar: clock.nowMs() };
  return {
    routes: [
      installationRoutes(access, { ground, startedMs, ...others }),
      configurationRoutes(access, ground, {
        tries: [tryBackup, tryProviders, tryingWay(outgoing), ...tries],
        outgoing,
      }),
      installationWorkspaceRoutes(access, secrets),
    ],
    loops: [settings.loop(noteBack)],
    recall: recallUnconfirmed,
  };
}
