// What is wrong with a record, in the reader's language where the face knows the problem, else as the server says it.
import { useTexts } from "../../language.ts";
import { dnsProblemsTexts } from "../../texts/dns-problems.ts";
import type { DnsRecord } from "./calls.ts";

type ProblemProps = Pick<DnsRecord, "problem" | "problemCode" | "problemValues">;

export function Problem({ problem, problemCode, problemValues }: ProblemProps) {
  const { dnsProblems, instead } = useTexts(dnsProblemsTexts);
  const said = dnsProblems[problemCode ?? ""]?.(problemValues);
  if (said === undefined) return problem;
  const other = problemValues["instead"];
  return other === undefined ? said : `${said} ${instead(other)}`;
}
