// The texts of the settings of a workspace.
import { area } from "../language.ts";

export const workspaceTexts = area({
  en: () => import("./en/workspace.ts").then(({ workspace }) => workspace),
  de: () => import("./de/workspace.ts").then(({ workspace }) => workspace),
});
