// What is wrong with a record, as a sentence in the reader's language where the face knows the problem, else as the
// server says it.
import type { ProblemTexts } from "../../texts/dns-problems.ts";
import type { DnsRecord } from "./calls.ts";

export type Said = Pick<DnsRecord, "problem" | "problemCode" | "problemValues">;

export function saidOf({ problem, problemCode, problemValues }: Said, { dnsProblems, instead }: ProblemTexts): string {
  const said = dnsProblems[problemCode ?? ""]?.(problemValues);
  if (said === undefined) return problem ?? "";
  const other = problemValues["instead"];
  return other === undefined ? said : `${said} ${instead(other)}`;
}
