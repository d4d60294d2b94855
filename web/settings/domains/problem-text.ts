// The fault of a record: in the reader's language if there is a text for it, otherwise as the server wrote it.
import type { ProblemTexts } from "../../texts/dns-problems.ts";
import type { DnsRecord } from "./calls.ts";

export type ProblemText = Pick<DnsRecord, "problem" | "problemCode" | "problemValues">;

export function problemText(
  { problem, problemCode, problemValues }: ProblemText,
  { dnsProblems, instead }: ProblemTexts,
): string {
  const text = dnsProblems[problemCode ?? ""]?.(problemValues);
  if (text === undefined) return problem ?? "";
  const other = problemValues["instead"];
  return other === undefined ? text : `${text} ${instead(other)}`;
}
