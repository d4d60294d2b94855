// What recipients read: every language has every text, with what is to be filled in; and who is spoken to in which.
import { describe, expect, test } from "bun:test";
import {
  directionOf,
  LANGUAGES,
  languageAccepted,
  languageAmong,
  languageOf,
  type RecipientTexts,
} from "../../src/base/languages/language.ts";
import { filledIn, textsIn } from "../../src/base/languages/texts.ts";

const placeholders = (text: string) => (text.match(/\{\w*\}?/g) ?? []).sort();

test("there are at least ten languages, one of them written from right to left", () => {
  expect(LANGUAGES.length).toBeGreaterThanOrEqual(10);
  expect(LANGUAGES.filter((language) => directionOf(language) === "rtl")).toEqual(["ar"]);
  expect(new Set(LANGUAGES).size).toBe(LANGUAGES.length);
});

describe.each([...LANGUAGES])("%s", (language) => {
  const texts = textsIn(language);
  const english = textsIn("en");

  test("has every text, with the same things to be filled in", () => {
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const name of Object.keys(english) as (keyof RecipientTexts)[]) {
      expect([name, placeholders(texts[name])]).toEqual([name, placeholders(english[name])]);
      expect([name, texts[name]]).toEqual([name, texts[name].trim()]);
      expect(texts[name].length).toBeGreaterThan(1);
      expect(texts[name]).not.toMatch(/[<>&"]/);
    }
  });

  test("says nothing twice, and nothing in English", () => {
    const all = Object.values(texts);
    expect(new Set(all).size).toBe(all.length);
    const copied = Object.keys(english).filter(
      (name) => texts[name as keyof RecipientTexts] === english[name as keyof RecipientTexts],
    );
    expect(copied).toEqual(language === "en" ? Object.keys(english) : []);
  });
});

test("what is filled in is not looked at again", () => {
  expect(filledIn("{workspace}: {email}", { workspace: "{email} $1", email: "a@b.c" })).toBe("{email} $1: a@b.c");
});

test.each([
  ["de", "de"],
  ["PT-br", "pt"],
  ["zh", "zh"],
  ["zh-CN", "zh"],
  ["zh-Hans-HK", "zh"],
  ["zh_Hant_TW", "zh-Hant"],
  ["zh-TW", "zh-Hant"],
  ["zh-yue-HK", "zh-Hant"],
  [" en ", "en"],
  ["deutsch", null],
  ["", null],
  ["constructor", null],
])("the tag %j asks for %s", (tag, language) => {
  expect(languageOf(tag)).toBe(language as never);
});

test.each([
  ["fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"],
  ["tlh, en;q=0.2, es;q=0.4", "es"],
  ["de;q=0, en;q=0.1", "en"],
  ["en;q=x, ja", "ja"],
  ["it,de", "it"],
  ["*", null],
  [",;q=;,", null],
  ["x".repeat(100_000), null],
  [null, null],
])("the browser that accepts %j is answered in %s", (header, language) => {
  expect(languageAccepted(header)).toBe(language as never);
});

test("the first tag that names a language of ours counts", () => {
  expect(languageAmong(undefined, 7, { de: 1 }, "tlh", "fi", "sv")).toBe("fi");
  expect(languageAmong()).toBeNull();
});
