// Faults of DNS records, by code.
import { area } from "../base/language.ts";
import type { DnsProblems } from "./server-words.ts";

export type ProblemTexts = { readonly dnsProblems: DnsProblems; readonly instead: (name: string) => string };

export const dnsProblemsTexts = area<ProblemTexts>({
  en: async () => ({ dnsProblems: {}, instead: () => "" }),
  de: () => import("./de/dns-problems.ts"),
});
