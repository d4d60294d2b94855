// A page of the site, in the frame that pages of the guide have.
import { posix } from "node:path";
import { framed, searchForm } from "../../src/http/guide/page.ts";

/** `path`: of its file in the folder of the site. */
export type SitePage = {
  readonly path: string;
  readonly title: string;
  /** For search engines: a sentence. */
  readonly summary: string;
  readonly main: string;
  /** The pages of its part of the site, in the navigation. */
  readonly beside?: readonly Pick<SitePage, "path" | "title">[];
  readonly style?: string;
  readonly script?: string;
};

const PARTS: readonly Pick<SitePage, "path" | "title">[] = [
  { path: "index.html", title: "Posthorn" },
  { path: "docs/index.html", title: "Guide" },
  { path: "reference/index.html", title: "API reference" },
  { path: "docs/compare/index.html", title: "Comparisons" },
];
/** The server answers with it for any address, so its links cannot be relative. */
export const NOT_FOUND = "404.html";

/** Beside what pages of the guide have. */
const STYLE = `
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .4rem }
nav ul + ul { margin-top: 1rem; border-top: 1px solid var(--line); padding-top: 1rem }
`;

/** @param base where the site will be, without a slash at the end */
export function htmlOfPage(page: SitePage, base: string | undefined): string {
  const { path, title, summary, main, beside = [], style = "", script = "" } = page;
  const to = (target: string) => (path === NOT_FOUND ? fromRoot(target, base) : linkFrom(path, target));
  const listed = (pages: typeof PARTS) =>
    pages.length === 0
      ? ""
      : `<ul>${pages.map((one) => `<li>${link(one.title, to(one.path), one.path === path)}</li>`).join("\n")}</ul>`;
  const canonical =
    base === undefined || path === NOT_FOUND ? "" : `<link rel="canonical" href="${addressOf(path, base)}" />`;
  return framed({
    title: title === "Posthorn" ? title : `${title} · Posthorn`,
    head: `<meta name="description" content="${Bun.escapeHTML(summary)}" />${canonical}<style>${STYLE}${style}</style>`,
    navigation: `${searchForm(to("search.html"), "")}${listed(PARTS)}${listed(beside)}`,
    main,
    script,
  });
}

function link(title: string, href: string, isCurrent: boolean): string {
  return `<a href="${href}"${isCurrent ? ' aria-current="page"' : ""}>${Bun.escapeHTML(title)}</a>`;
}

export function linkFrom(path: string, target: string): string {
  return posix.relative(posix.dirname(path), target);
}

/** One address a page: that of a folder is its first page's. */
export function addressOf(path: string, base: string): string {
  return `${base}/${path.replace(/(^|\/)index\.html$/, "$1")}`;
}

function fromRoot(target: string, base: string | undefined): string {
  return `${base === undefined ? "" : new URL(base).pathname.replace(/\/$/, "")}/${target}`;
}
