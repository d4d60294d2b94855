// The texts about the pages of recipients.
import { area } from "../language.ts";

export const recipientPagesTexts = area({
  en: () => import("./en/recipient-pages.ts").then(({ recipientPages }) => recipientPages),
  de: () => import("./de/recipient-pages.ts").then(({ recipientPages }) => recipientPages),
});
