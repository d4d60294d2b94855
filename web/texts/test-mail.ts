// The texts of the test mail.
import { area } from "../language.ts";

export const testMailTexts = area({
  en: () => import("./en/test-mail.ts").then(({ testMail }) => testMail),
  de: () => import("./de/test-mail.ts").then(({ testMail }) => testMail),
});
