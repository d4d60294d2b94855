// The pages of the guide as HTML, with their addresses.
import { posix } from "node:path";
import { pageText } from "./pages.ts";

const MARKDOWN = { headings: true, noHtmlBlocks: true, noHtmlSpans: true };

/** Without the parts that exist in the repository alone: pictures, and links to files there. */
export function guideText(name: string): string {
  return pageText(name)
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, "")
    .replaceAll("](../config.example.toml)", "](/docs/guide/config.example.toml)");
}

export function titleOf(name: string): string {
  return /^# (.+)$/m.exec(guideText(name))?.[1] ?? "";
}

export function pathOf(name: string): string {
  return `/docs/guide/${name}`.replace(/\/index$/, "");
}

/** The file of the page in the repository. */
export function markdownPathOf(name: string): string {
  return `/docs/guide/${name}.md`;
}

/** A text of the guide as HTML, with its links as they are. What may be wider than the page can be scrolled by keys. */
export function markdownHtml(text: string): string {
  return Bun.markdown.html(text, MARKDOWN).replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">');
}

/** The pages link to each other as files of the repository, so that the links work there too. */
export function htmlOf(name: string): string {
  return markdownHtml(guideText(name))
    .replace(/href="((?:\.\.\/)?[a-z/-]+)\.md(#[\w-]+)?"/g, (_, file: string, anchor = "") => {
      return `href="${pathOf(posix.join(posix.dirname(name), file))}${anchor}"`;
    })
    .replaceAll(/href="(grafana\.json|alerts\.yml)"/g, 'href="/docs/guide/operate/$1"');
}
