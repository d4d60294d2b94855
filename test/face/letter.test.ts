// The letter with the DNS records that are still to be made: what it asks for, and what it leaves alone.
import { expect, test } from "bun:test";

// `web/` has types of its own.
const load = async (path: string) => import(new URL(`../../web/${path}`, import.meta.url).href);
const { letterToAdmin } = (await load("set-up/domains/letter.ts")) as {
  letterToAdmin: (domain: object, texts: object) => string;
};
const { domains: english } = (await load("texts/en/domains.ts")) as { domains: { letter: object } };
const { domains: german } = (await load("texts/de/domains.ts")) as { domains: { letter: object } };

const RECORD = { type: "TXT", name: "shop.example", found: [], suggestion: null, state: "MISSING", problemCode: null };
const SPF = { ...RECORD, purpose: "SPF", value: "v=spf1 include:relay.example ~all" };
const MX = { ...RECORD, type: "MX", value: "10 mail.shop.example", found: ["aspmx.example"] };

function letter(records: readonly object[], texts = english.letter): string {
  return decodeURIComponent(letterToAdmin({ domain: "shop.example", records }, texts));
}

test.each([
  { ...MX, purpose: "INBOUND", state: "MISSING", found: [] },
  { ...MX, purpose: "INBOUND", state: "OK", problemCode: "mx_elsewhere_inbound" },
  { ...MX, purpose: "RETURN_PATH", state: "WRONG", problemCode: "mx_elsewhere_bounces" },
])("asks nobody to replace the MX record of a company: $purpose, $state", (mx) => {
  for (const { letter: texts } of [english, german]) {
    const text = letter([SPF, mx], texts);
    expect(text).toContain(SPF.value);
    expect(text).not.toContain("MX");
    expect(text).not.toContain("aspmx");
  }
});

test("asks for the MX record of a return path that has none", () => {
  expect(letter([{ ...MX, purpose: "RETURN_PATH", found: [] }])).toContain("10 mail.shop.example");
});
