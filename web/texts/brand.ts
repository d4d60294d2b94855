// The texts of the brand.
import { area } from "../language.ts";

export const brandTexts = area({
  en: () => import("./en/brand.ts").then(({ brand }) => brand),
  de: () => import("./de/brand.ts").then(({ brand }) => brand),
});
