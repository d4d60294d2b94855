// The table of what reports mean says each sentence in German, with the values that the server gives.
import { expect, test } from "bun:test";
import { FAULT_CODES } from "../../src/mail/reports/record.ts";
import { ADVICE_CODES, VERDICT_CODES } from "../../src/mail/reports/verdict.ts";

// `web/` has types of its own.
const texts = new URL("../../web/texts/de/report-words.ts", import.meta.url).href;
const { reportWords } = (await import(texts)) as {
  reportWords: Readonly<Record<string, (values: Readonly<Record<string, string>>) => string>>;
};

/** Each value is its own name, so that one that is left out is found. */
const NAMES = ["days", "receivers", "messages", "share", "source", "least", "signedAs", "domain"];
const values = Object.fromEntries(NAMES.map((name) => [name, `<${name}>`]));

test.each([...VERDICT_CODES, ...ADVICE_CODES, ...FAULT_CODES])("%s is said in German", (code) => {
  const german = reportWords[code]?.(values);
  expect(german).toBeString();
  expect(german).not.toContain("undefined");
});

test("no sentence is there that the server never says", () => {
  expect(Object.keys(reportWords).toSorted()).toEqual([...VERDICT_CODES, ...ADVICE_CODES, ...FAULT_CODES].toSorted());
});
