// The texts of versions.
import { area } from "../language.ts";

export const versionsTexts = area({
  en: () => import("./en/versions.ts").then(({ versions }) => versions),
  de: () => import("./de/versions.ts").then(({ versions }) => versions),
});
