// The search of the site: that of the guide (src/http/guide/search.ts), with the texts of its pages packed beside it.
// It is loaded when somebody has asked.
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { pageTexts } from "../../src/http/guide/page-texts.ts";
import { fileOfPage } from "../../src/http/guide/pages.ts";
import type { SitePage } from "./frame.ts";

/** A browser cannot read the files of the guide. */
const PACKED_TEXTS: BunPlugin = {
  name: "texts of the guide",
  setup: (build) => {
    build.onLoad({ filter: /guide\/page-texts\.ts$/ }, () => ({
      contents: `const texts = JSON.parse(${JSON.stringify(JSON.stringify(siteTexts()))}); export const pageTexts = () => texts;`,
      loader: "js",
    }));
  },
};

function siteTexts() {
  return pageTexts().map(({ sections, ...page }) => ({
    ...page,
    sections: sections.map((section) => ({ ...section, path: sitePathOf(page.name, section.path) })),
  }));
}

function sitePathOf(name: string, path: string): string {
  return fileOfPage(name).replace(/\.md$/, ".html") + path.slice(path.indexOf("#"));
}

/** A script that gives a page `searchGuide`. It is no module: browsers load none of a folder. */
export async function searchScript(): Promise<string> {
  const entrypoints = [join(import.meta.dir, "search-entry.ts")];
  const { outputs } = await Bun.build({ entrypoints, plugins: [PACKED_TEXTS], format: "iife", minify: true });
  const [script] = outputs;
  if (!script) throw new Error("The search of the site cannot be bundled.");
  return script.text();
}

const SCRIPT = `
const question = (new URLSearchParams(location.search).get("q") || "").slice(0, 100);
const place = document.querySelector("#found");
const element = (name, text, inside) => {
  const made = inside.appendChild(document.createElement(name));
  made.textContent = text;
  return made;
};
const show = () => {
  const { sections, unknown } = searchGuide(question);
  place.textContent = "";
  if (unknown.length > 0) element("p", "No page of the guide has “" + unknown.join("” or “") + "”.", place);
  if (sections.length === 0) return;
  const list = element("ul", "", place);
  list.className = "found";
  for (const { path, title, heading, excerpt } of sections) {
    const item = element("li", "", list);
    element("a", heading === title ? title : title + ": " + heading, item).href = path;
    element("p", excerpt, item);
  }
};
if (question !== "") {
  document.querySelector("[type=search]").value = question;
  place.textContent = "Searching …";
  const script = document.createElement("script");
  script.src = "search.js";
  script.onload = show;
  document.head.append(script);
}
`;

export const SEARCH_PAGE: SitePage = {
  path: "search.html",
  title: "Search",
  summary: "Search the guide of Posthorn.",
  main: `<h1>Search</h1><div id="found" role="status"></div>
    <noscript><p>The search needs JavaScript. All pages are in the <a href="docs/index.html">guide</a>.</p></noscript>`,
  script: SCRIPT,
};
