// What can be wrong with a DNS record, by code. English is what the server says itself; what a table lacks stays
// English.
import { area } from "../language.ts";

type Sentence = (values: Record<string, string>) => string;
export type Problems = Readonly<Record<string, Sentence>>;
export type ProblemTexts = { readonly dnsProblems: Problems; readonly instead: (name: string) => string };

export const dnsProblemsTexts = area<ProblemTexts>({
  en: async () => ({ dnsProblems: {}, instead: () => "" }),
  de: () => import("./de/dns-problems.ts"),
});
