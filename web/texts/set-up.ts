// The texts that the parts of the set-up share.
import { area } from "../language.ts";

export const setUpTexts = area({
  en: () => import("./en/set-up.ts").then(({ setUp }) => setUp),
  de: () => import("./de/set-up.ts").then(({ setUp }) => setUp),
});
