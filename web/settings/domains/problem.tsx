// The fault of a record.
import { useTexts } from "../../base/language.ts";
import { dnsProblemsTexts } from "../../texts/dns-problems.ts";
import { problemText, type ProblemText } from "./problem-text.ts";

export function Problem(problem: ProblemText) {
  return problemText(problem, useTexts(dnsProblemsTexts));
}
