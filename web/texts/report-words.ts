// Meanings of reports, by the server's code.
import { area } from "../base/language.ts";
import type { ReportWords } from "./server-words.ts";

export const reportWordsTexts = area<{ readonly reportWords: ReportWords }>({
  en: async () => ({ reportWords: {} }),
  de: () => import("./de/report-words.ts"),
});
