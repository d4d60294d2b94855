// The texts of the team.
import { area } from "../language.ts";

export const teamTexts = area({
  en: () => import("./en/team.ts").then(({ team }) => team),
  de: () => import("./de/team.ts").then(({ team }) => team),
});
