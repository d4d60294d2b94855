// Refusals of the server, by code.
import { area } from "../base/language.ts";
import type { Refusals } from "./server-words.ts";

export const refusalsTexts = area<Refusals>({
  en: async () => ({ reasons: {}, codes: {}, fields: {}, messages: {} }),
  de: () => import("./de/refusals.ts").then(({ refusals }) => refusals),
});
