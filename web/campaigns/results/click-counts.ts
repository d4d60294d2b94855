// Adds to each link of an HTML email the number of people who clicked it.

type ClickedLink = { readonly url: string; readonly people: number };

const LINK = /<a\b[^>]*?\shref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>[\s\S]*?<\/a>/gi;
/** Inline, because the app's styles do not reach the email. */
const STYLE =
  "display:inline-block;margin:0 0 0 4px;padding:0 6px;border-radius:9px;background:#9a5b12;color:#fff;font:600 12px/18px sans-serif;vertical-align:middle;text-decoration:none";

export function withClickCounts(
  html: string,
  links: readonly ClickedLink[],
  number: (value: number) => string,
): string {
  const patterns = links.map((link) => ({ ...link, pieces: link.url.split(PLACEHOLDERS) }));
  patterns.sort((one, other) => other.pieces.join("").length - one.pieces.join("").length);
  const linkOf = (url: string) =>
    links.find((link) => link.url === url) ?? patterns.find(({ pieces }) => isMadeOf(url, pieces));
  return html.replace(LINK, (link: string, one?: string, other?: string) => {
    const found = linkOf(decoded(one ?? other ?? "").trim());
    return found ? `${link}<span style="${STYLE}">${number(found.people)}</span>` : link;
  });
}

/** The list of links has the campaign's placeholders; the shown email has a value in place of each. */
const PLACEHOLDERS = /\{%.*%\}|\{\{.*?\}\}\}?/gs;

/** Whether a URL has these pieces in this order, with anything between them. */
function isMadeOf(url: string, [first = "", ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined || !url.startsWith(first)) return url === first;
  let from = first.length;
  for (const piece of others) {
    const at = url.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return url.length - last.length >= from && url.endsWith(last);
}

/** Undoes the HTML escapes: URLs are compared as they are clicked. */
function decoded(attribute: string): string {
  return attribute.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
