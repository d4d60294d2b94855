// The texts of the condition builder.
import { area } from "../language.ts";

export const conditionTexts = area({
  en: () => import("./en/condition.ts").then(({ condition }) => condition),
  de: () => import("./de/condition.ts").then(({ condition }) => condition),
});
