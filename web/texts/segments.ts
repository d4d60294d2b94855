// The texts of the segments.
import { area } from "../language.ts";

export const segmentsTexts = area({
  en: () => import("./en/segments.ts").then(({ segments }) => segments),
  de: () => import("./de/segments.ts").then(({ segments }) => segments),
});
