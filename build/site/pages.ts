// The pages of the site that are written as Markdown: the files of docs/, each at its place, so that their links work
// as they are.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beginningOf } from "../../src/http/guide/for-programs.ts";
import { markdownHtml } from "../../src/http/guide/markdown.ts";
import { fileOfPage, PAGES } from "../../src/http/guide/pages.ts";
import type { SitePage } from "./frame.ts";

const COMPARISONS = "docs/compare";
export const ROOT = join(import.meta.dir, "../..");

export function guidePages(): SitePage[] {
  return together([...PAGES].map(fileOfPage).map(pageOfFile));
}

/** The list of them comes first. */
export function comparisonPages(): SitePage[] {
  const names = readdirSync(join(ROOT, COMPARISONS)).filter((name) => name !== "index.md");
  return together(["index.md", ...names.toSorted()].map((name) => pageOfFile(`${COMPARISONS}/${name}`)));
}

/** Each has the others in its navigation. */
function together(pages: readonly SitePage[]): SitePage[] {
  return pages.map((page) => ({ ...page, beside: pages }));
}

/** @param file from the root of the repository */
export function pageOfFile(file: string): SitePage {
  const text = readFileSync(join(ROOT, file), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1] ?? "";
  const main = markdownHtml(text).replaceAll(/href="(?!https?:)([^"#]+)\.md(#[^"]*)?"/g, 'href="$1.html$2"');
  return { path: file.replace(/\.md$/, ".html"), title, summary: beginningOf(text), main };
}
