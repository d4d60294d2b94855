// The texts of the views.
import { area } from "../language.ts";

export const viewsTexts = area({
  en: () => import("./en/views.ts").then(({ views }) => views),
  de: () => import("./de/views.ts").then(({ views }) => views),
});
