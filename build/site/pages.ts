// The pages of the site that are written as Markdown: the files of docs/, each at its place, so that their links work
// as they are.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beginningOf } from "../../src/http/guide/for-programs.ts";
import { markdownHtml } from "../../src/http/guide/markdown.ts";
import { fileOfPage, PAGES } from "../../src/http/guide/pages.ts";
import { linkFrom, type SitePage } from "./frame.ts";

const COMPARISONS = "docs/compare";
export const ROOT = join(import.meta.dir, "../..");

export function guidePages(): SitePage[] {
  const pages = [...PAGES].map(fileOfPage).map(pageOfFile);
  return together(pages.map((page, at) => ({ ...page, main: page.main + leadOn(page, pages[at + 1]) })));
}

/** The list of them comes first. */
export function comparisonPages(): SitePage[] {
  const names = readdirSync(join(ROOT, COMPARISONS)).filter((name) => name !== "index.md");
  return together(["index.md", ...names.toSorted()].map((name) => pageOfFile(`${COMPARISONS}/${name}`)));
}

/** In reading order. */
function leadOn({ path }: SitePage, next: SitePage | undefined): string {
  if (next === undefined) return "";
  return `<footer>Next: <a href="${linkFrom(path, next.path)}">${Bun.escapeHTML(next.title)}</a></footer>`;
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
