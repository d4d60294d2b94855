// The texts of people.
import { area } from "../language.ts";

export const peopleTexts = area({
  en: () => import("./en/people.ts").then(({ people }) => people),
  de: () => import("./de/people.ts").then(({ people }) => people),
});
