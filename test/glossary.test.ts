// One word for one thing: the words that docs/dev/glossary.md rules out are in no code, comment, text, test or
// document.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

const PAGE = "docs/dev/glossary.md";
const ruledOut = readFileSync(PAGE, "utf8")
  .split("## Not used")[1]
  ?.split("\n")
  .filter((line) => /^\| (?!Not |-)/.test(line))
  .flatMap((line) => (line.split("|")[1] as string).split(",").map((word) => word.trim()));

/** Where such a word is not ours, and why. */
const QUOTES: Readonly<Record<string, string>> = {
  "src/mail/inbound/bounces/free-form.ts": "what mail servers write to people",
};
/** What was said once stays as it was said, and German has words of its own. */
const isOurs = (file: string) => file !== PAGE && file !== "CHANGELOG.md" && !file.startsWith("web/texts/de/");

const files = ["{src,test,build,client}/**/*.ts", "web/**/*.{ts,tsx}", "{docs,src}/**/*.md", "*.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(".")])
  .filter(isOurs)
  .map((file) => [file, readFileSync(file, "utf8")] as const);

/** The files with a word, which may go on in the next line of a comment, and has one of two apostrophes. */
function filesWith(word: string): string[] {
  const pattern = word.replaceAll(" ", "\\s+(?:\\*\\s+|//\\s+)?").replaceAll("'", "['’]");
  return files.filter(([, text]) => new RegExp(`\\b${pattern}\\b`, "i").test(text)).map(([file]) => file);
}

test.each(ruledOut ?? [])('"%s" is not used', (word) => {
  expect(filesWith(word).filter((file) => !(file in QUOTES))).toEqual([]);
});

test("the glossary rules words out, and each quote still has one", () => {
  expect(ruledOut?.length).toBeGreaterThan(5);
  expect(Object.keys(QUOTES).filter((file) => !ruledOut?.some((word) => filesWith(word).includes(file)))).toEqual([]);
});
