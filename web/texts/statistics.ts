// The texts of the statistics.
import { area } from "../language.ts";

export const statisticsTexts = area({
  en: () => import("./en/statistics.ts").then(({ statistics }) => statistics),
  de: () => import("./de/statistics.ts").then(({ statistics }) => statistics),
});
