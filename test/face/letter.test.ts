// The letter with the DNS records that are still to be made: what it asks for, and what it leaves alone.
import { expect, test } from "bun:test";

// `web/` has types of its own.
const load = async (path: string) => import(new URL(`../../web/${path}`, import.meta.url).href);
const { letterToAdmin } = (await load("settings/domains/email-to-admin.ts")) as {
  letterToAdmin: (domain: object, texts: object, problems: object) => string;
};
const { domains: english } = (await load("texts/en/domains.ts")) as { domains: object };
const { domains: german } = (await load("texts/de/domains.ts")) as { domains: object };
const germanProblems = (await load("texts/de/dns-problems.ts")) as object;
const NO_WORDS = { dnsProblems: {}, instead: () => "" };

const RECORD = {
  problemValues: {},
  type: "TXT",
  name: "shop.example",
  found: [],
  suggestion: null,
  state: "MISSING",
  problemCode: null,
};
const SPF = { ...RECORD, purpose: "SPF", value: "v=spf1 include:relay.example ~all" };
const MX = { ...RECORD, type: "MX", value: "10 mail.shop.example", found: ["aspmx.example"] };

function letter(records: readonly object[], texts = english): string {
  const problems = texts === german ? germanProblems : NO_WORDS;
  return decodeURIComponent(letterToAdmin({ domain: "shop.example", records }, texts, problems));
}

test.each([
  { ...MX, purpose: "INBOUND", state: "MISSING", found: [] },
  { ...MX, purpose: "INBOUND", state: "OK", problemCode: "mx_elsewhere_inbound" },
  { ...MX, purpose: "RETURN_PATH", state: "WRONG", problemCode: "mx_elsewhere_bounces" },
])("asks nobody to replace the MX record of a company: $purpose, $state", (mx) => {
  for (const texts of [english, german]) {
    const text = letter([SPF, mx], texts);
    expect(text).toContain(SPF.value);
    expect(text).not.toContain("MX");
    expect(text).not.toContain("aspmx");
  }
});

test("asks for the MX record of a return path that has none", () => {
  expect(letter([{ ...MX, purpose: "RETURN_PATH", found: [] }])).toContain("10 mail.shop.example");
});

test("gives the SPF record merged with the one that is there, and says what breaks without it", () => {
  const merged = "v=spf1 include:_spf.office.example include:relay.example -all";
  const found = ["v=spf1 include:_spf.office.example -all"];
  const text = letter([{ ...SPF, state: "WRONG", found, suggestion: merged }]);
  expect(text).toContain(`Value: ${merged}`);
  expect(text).not.toContain(SPF.value);
  expect(text).not.toContain("10 DNS lookups");
  const tooLong = { ...SPF, state: "WRONG", found, suggestion: merged, problemCode: "spf_merged_lookups" };
  expect(letter([tooLong])).toContain("at most 10 DNS lookups");
  expect(text).toContain("Without it, more email lands in spam. A name has one SPF record only");
});

test("asks for the SPF record, too, whose include only the relay knows, and says what to put in", () => {
  const text = letter([{ ...SPF, value: "v=spf1 include:<what your relay asks for> ~all" }]);
  expect(text).toContain("include:<what your relay asks for>");
  expect(text).toContain("Replace <…> with what your relay requires");
});

test("has a faulty SPF record corrected, not replaced by one that drops its senders", () => {
  const problem = "The record includes gone.example, which has no SPF record.";
  const found = ["v=spf1 include:gone.example mx -all"];
  const text = letter([{ ...SPF, state: "WRONG", found, problem, problemCode: "spf_include_none" }]);
  expect(text).toContain(problem);
  expect(text).not.toContain(SPF.value);
});

test("says what is wrong with an SPF record in the language of the letter", () => {
  const faulty = { ...SPF, state: "WRONG", found: ["v=spf1 include:gone.example mx -all"], problem: "In English." };
  const text = letter(
    [{ ...faulty, problemCode: "spf_include_none", problemValues: { name: "gone.example" } }],
    german,
  );
  expect(text).toContain("Der Eintrag enthält include:gone.example, aber dort gibt es keinen SPF-Eintrag.");
  expect(text).not.toContain("In English.");
});
