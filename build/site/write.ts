// All files of the site.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OpenApiDocument } from "../../src/http/docs/document.ts";
import { describedInterface } from "../interface.ts";
import { addressOf, htmlOfPage, NOT_FOUND, type SitePage } from "./frame.ts";
import { homePage } from "./home.ts";
import { comparisonPages, guidePages, ROOT } from "./pages.ts";
import { referencePages } from "./reference.ts";
import { SEARCH_PAGE, searchScript } from "./search.ts";

const PICTURES = "docs/face/pictures";
/** Files that pages link to, at their places. */
const LINKED = ["config.example.toml", "docs/operate/grafana.json", "docs/operate/alerts.yml"];
/** What nobody looks for. */
const UNLISTED: ReadonlySet<string> = new Set([NOT_FOUND, SEARCH_PAGE.path]);

/**
 * Replaces what is in the folder. Answers how many pages there are.
 *
 * @param base where the site will be, without a slash at the end; without it, there is no sitemap, which needs whole
 *   addresses
 */
export async function writeSite(folder: string, base?: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const pages = await allPages();
  for (const page of pages) write(page.path, htmlOfPage(page, base));
  write("search.js", await searchScript());
  write("robots.txt", robots(base));
  if (base !== undefined) write("sitemap.xml", sitemap(pages, base));
  mkdirSync(join(folder, PICTURES), { recursive: true });
  const pictures = readdirSync(join(ROOT, PICTURES)).map((name) => `${PICTURES}/${name}`);
  for (const path of [...pictures, ...LINKED]) copyFileSync(join(ROOT, path), join(folder, path));
  return pages.length;
}

async function allPages(): Promise<SitePage[]> {
  const reference = referencePages((await describedInterface()) as OpenApiDocument);
  return [homePage(), ...guidePages(), ...comparisonPages(), ...reference, SEARCH_PAGE, notFound()];
}

function notFound(): SitePage {
  const main = "<h1>There is no such page</h1><p>It may have moved: try the search, or begin at one of the links.</p>";
  return { path: NOT_FOUND, title: "Not found", summary: "There is no such page.", main };
}

function robots(base: string | undefined): string {
  return `User-agent: *\nAllow: /\n${base === undefined ? "" : `Sitemap: ${base}/sitemap.xml\n`}`;
}

function sitemap(pages: readonly SitePage[], base: string): string {
  const listed = pages.filter(({ path }) => !UNLISTED.has(path));
  const rows = listed.map(({ path }) => `  <url><loc>${Bun.escapeHTML(addressOf(path, base))}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${rows.join("\n")}
</urlset>
`;
}
