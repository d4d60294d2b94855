// The texts of what is written and looked at: the editors and the preview.
import { area } from "../language.ts";

export const writingTexts = area({
  en: () => import("./en/writing.ts").then(({ writing }) => writing),
  de: () => import("./de/writing.ts").then(({ writing }) => writing),
});
