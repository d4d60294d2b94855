// The texts of leaving a form that holds changes.
import { area } from "../language.ts";

export const leaveTexts = area({
  en: () => import("./en/leave.ts").then(({ leave }) => leave),
  de: () => import("./de/leave.ts").then(({ leave }) => leave),
});
