// The texts of the visual editor.
import { area } from "../language.ts";

export const visualTexts = area({
  en: () => import("./en/visual.ts").then(({ visual }) => visual),
  de: () => import("./de/visual.ts").then(({ visual }) => visual),
});
