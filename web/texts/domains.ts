// The texts of sender domains.
import { area } from "../language.ts";

export const domainsTexts = area({
  en: () => import("./en/domains.ts").then(({ domains }) => domains),
  de: () => import("./de/domains.ts").then(({ domains }) => domains),
});
