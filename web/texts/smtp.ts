// The texts of the lines to copy.
import { area } from "../language.ts";

export const smtpTexts = area({
  en: () => import("./en/smtp.ts").then(({ smtp }) => smtp),
  de: () => import("./de/smtp.ts").then(({ smtp }) => smtp),
});
