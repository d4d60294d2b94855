// The texts of the webhooks.
import { area } from "../language.ts";

export const webhooksTexts = area({
  en: () => import("./en/webhooks.ts").then(({ webhooks }) => webhooks),
  de: () => import("./de/webhooks.ts").then(({ webhooks }) => webhooks),
});
