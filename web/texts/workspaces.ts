// The texts of all workspaces of this server.
import { area } from "../language.ts";

export const workspacesTexts = area({
  en: () => import("./en/workspaces.ts").then(({ workspaces }) => workspaces),
  de: () => import("./de/workspaces.ts").then(({ workspaces }) => workspaces),
});
