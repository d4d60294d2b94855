// The texts of one's own account.
import { area } from "../language.ts";

export const meTexts = area({
  en: () => import("./en/me.ts").then(({ me }) => me),
  de: () => import("./de/me.ts").then(({ me }) => me),
});
