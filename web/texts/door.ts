// The texts of the ways in.
import { area } from "../language.ts";

export const doorTexts = area({
  en: () => import("./en/door.ts").then(({ door }) => door),
  de: () => import("./de/door.ts").then(({ door }) => door),
});
