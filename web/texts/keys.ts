// The texts of keys.
import { area } from "../language.ts";

export const keysTexts = area({
  en: () => import("./en/keys.ts").then(({ keys }) => keys),
  de: () => import("./de/keys.ts").then(({ keys }) => keys),
});
