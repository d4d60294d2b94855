// The texts of mail.
import { area } from "../language.ts";

export const mailTexts = area({
  en: () => import("./en/mail.ts").then(({ mail }) => mail),
  de: () => import("./de/mail.ts").then(({ mail }) => mail),
});
