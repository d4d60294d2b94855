// One word for one thing: the words that docs/dev/glossary.md rules out are in no code, comment or document.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

const PAGE = "docs/dev/glossary.md";
const ruledOut = readFileSync(PAGE, "utf8")
  .split("## Not used")[1]
  ?.split("\n")
  .filter((line) => /^\| (?!Not |-)/.test(line))
  .flatMap((line) => (line.split("|")[1] as string).split(",").map((word) => word.trim()));

/** What programs and people of others say stands in quotes, and stays. */
const withoutTexts = (source: string) => source.replace(/"(?:[^"\\\n]|\\.)*"|\/(?:[^/\\\n ]|\\.)+\/[a-z]*/g, "");

const read = [
  ...["src/**/*.ts", "web/**/*.{ts,tsx}"].flatMap((files) =>
    [...new Bun.Glob(files).scanSync(".")].map((file) => [file, withoutTexts(readFileSync(file, "utf8"))] as const),
  ),
  ...["docs/**/*.md", "src/**/*.md", "*.md"].flatMap((files) =>
    [...new Bun.Glob(files).scanSync(".")].map((file) => [file, readFileSync(file, "utf8")] as const),
  ),
].filter(([file]) => file !== PAGE && file !== "CHANGELOG.md" && !file.startsWith("web/texts/de"));

test.each(ruledOut ?? [])('"%s" is not used', (word) => {
  const pattern = new RegExp(`\\b${word.replaceAll(" ", "\\s+(?:\\*\\s+|//\\s+)?")}\\b`);
  expect(read.filter(([, text]) => pattern.test(text)).map(([file]) => file)).toEqual([]);
});

test("the glossary rules words out", () => {
  expect(ruledOut?.length).toBeGreaterThan(5);
});
