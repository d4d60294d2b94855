// The texts of campaigns.
import { area } from "../language.ts";

export const campaignsTexts = area({
  en: () => import("./en/campaigns.ts").then(({ campaigns }) => campaigns),
  de: () => import("./de/campaigns.ts").then(({ campaigns }) => campaigns),
});

export const accountTexts = area({
  en: () => import("./en/campaign-account.ts").then(({ account }) => account),
  de: () => import("./de/campaign-account.ts").then(({ account }) => account),
});
