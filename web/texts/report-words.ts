// What reports mean, by the code that the server gives. English is what the server says itself; what a table lacks stays
// English.
import { area } from "../language.ts";

type Sentence = (values: Record<string, string>) => string;
export type ReportWords = { readonly reportWords: Readonly<Record<string, Sentence>> };

export const reportWordsTexts = area<ReportWords>({
  en: async () => ({ reportWords: {} }),
  de: () => import("./de/report-words.ts"),
});
