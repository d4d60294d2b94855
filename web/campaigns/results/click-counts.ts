// Adds the number of clicks to each link of an HTML email.

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
  const people = new Map(links.map((link) => [link.url, link.people]));
  return html.replace(LINK, (link: string, one?: string, other?: string) => {
    const count = people.get(decoded(one ?? other ?? "").trim());
    return count === undefined ? link : `${link}<span style="${STYLE}">${number(count)}</span>`;
  });
}

/** URLs are compared as they were clicked. */
function decoded(attribute: string): string {
  return attribute.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
