// The texts of this server.
import { area } from "../language.ts";

export const serverTexts = area({
  en: () => import("./en/server.ts").then(({ server }) => server),
  de: () => import("./de/server.ts").then(({ server }) => server),
});
