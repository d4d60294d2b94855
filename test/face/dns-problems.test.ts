// The table of what can be wrong with a record says each problem in German, with the values that the server gives.
import { expect, test } from "bun:test";
import { problemOf, PROBLEM_CODES } from "../../src/tenant/domains/dns-check/problems.ts";

// `web/` has types of its own.
const texts = new URL("../../web/texts/de/dns-problems.ts", import.meta.url).href;
const { dnsProblems } = (await import(texts)) as {
  dnsProblems: Readonly<Record<string, (values: Readonly<Record<string, string>>) => string>>;
};

/** Each value is its own name, so that one that is left out is found. */
const NAMES = [
  "name",
  "alias",
  "doubled",
  "short",
  "count",
  "found",
  "key",
  "tag",
  "expected",
  "host",
  "subdomain",
  "include",
  "term",
  "most",
  "service",
  "address",
  "home",
  "url",
  "mode",
  "reply",
  "hosts",
];
const values = Object.fromEntries(NAMES.map((name) => [name, `<${name}>`]));

test.each(PROBLEM_CODES)("%s names in German what it names in English", (code) => {
  const named = (text: string | undefined) => [...new Set(text?.match(/<\w+>/g))].toSorted();
  const english = problemOf(code, values).problem;
  const german = dnsProblems[code]?.(values);
  expect(german).toBeString();
  expect(german).not.toBe(english);
  expect(named(german)).toEqual(named(english));
  expect(`${english} ${german}`).not.toContain("undefined");
});
