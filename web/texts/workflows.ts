// The texts of workflows.
import { area } from "../language.ts";

export const workflowsTexts = area({
  en: () => import("./en/workflows.ts").then(({ workflows }) => workflows),
  de: () => import("./de/workflows.ts").then(({ workflows }) => workflows),
});

/** What the templates to begin with say; only who begins with one needs it. */
export const startersTexts = area({
  en: () => import("./en/starters.ts").then(({ starters }) => starters),
  de: () => import("./de/starters.ts").then(({ starters }) => starters),
});
