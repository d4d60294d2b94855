// The texts of the templates.
import { area } from "../language.ts";

export const templatesTexts = area({
  en: () => import("./en/templates.ts").then(({ templates }) => templates),
  de: () => import("./de/templates.ts").then(({ templates }) => templates),
});
