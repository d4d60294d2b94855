// What is wrong with a record.
import { useTexts } from "../../language.ts";
import { dnsProblemsTexts } from "../../texts/dns-problems.ts";
import { saidOf, type Said } from "./said.ts";

export function Problem(said: Said) {
  return saidOf(said, useTexts(dnsProblemsTexts));
}
