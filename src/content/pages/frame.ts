// The frame of public pages in the look of a workspace: the document, its logo, its footer and its policy. No scripts.
import { directionOf, type Language } from "../../base/languages/language.ts";
import type { PageLook } from "./look.ts";
import { styleOf } from "./style.ts";

/** The content security policy without form-action and frame-ancestors, which each page adds. */
export function pagePolicy({ logo }: PageLook): string {
  return `default-src 'none'; style-src 'unsafe-inline'; ${logo ? `img-src ${logo.origin}; ` : ""}base-uri 'none'`;
}

export function logoIn({ logo }: PageLook, workspaceName: string): string {
  if (!logo) return "";
  return `<img src="${Bun.escapeHTML(logo.src)}" alt="${Bun.escapeHTML(logo.alt || workspaceName)}">`;
}

/** Web addresses in the text become links. */
function footerIn({ footer }: PageLook): string {
  if (!footer) return "";
  const parts = footer.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/).map((part, index) => {
    const text = Bun.escapeHTML(part);
    return index % 2 === 0 ? text : `<a href="${text}">${text}</a>`;
  });
  return `\n<footer dir="auto">${parts.join("")}</footer>`;
}

type PageContent = {
  readonly language: Language;
  /** HTML, as the content. */
  readonly title: string;
  readonly look: PageLook;
  readonly content: string;
  /** Added to the style of all pages. */
  readonly style?: string;
};

/** A whole page, with the footer of its workspace. */
export function html({ language, title, look, content, style = "" }: PageContent): string {
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
${styleOf(look)}${style}
</style>
</head>
<body><main>${content}</main>${footerIn(look)}</body>
</html>
`;
}
