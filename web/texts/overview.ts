// The texts of the overview.
import { area } from "../language.ts";

export const overviewTexts = area({
  en: () => import("./en/overview.ts").then(({ overview }) => overview),
  de: () => import("./de/overview.ts").then(({ overview }) => overview),
});
