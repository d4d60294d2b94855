// Variables in links: percent-encoded where they are a part of a URL, so that `+`, `&` or a blank in a value cannot change the link.
import { codesIn, type Attribute } from "./html-places.ts";
import type { Edit } from "./template-syntax.ts";

/** The filters that are put behind such a variable; no template can name them by itself. */
export const LINK_FILTERS = { value: "?in-query", piece: "?in-url" } as const;

const LINKS = new Set(["href", "src", "action", "formaction", "background"]);
const HAS_LINK = /\b(href|src|(form)?action|background)\s*=/i;
/** A longer URL is none. */
const MAX_URL_CHARS = 4_000;
/** Where the author has said how the value is written. */
const IS_SAID = /\|\s*(raw|url_encode|cgi_escape|uri_escape)\b/;

/** Stands for one in a URL. */
const VARIABLE = "\0";

/** The filters that the outputs in links need. Edits of other kinds do not touch these places. */
export function linkEdits(source: string): Edit[] {
  const edits: Edit[] = [];
  if (!HAS_LINK.test(source)) return edits;
  for (const { start, end, attribute } of codesIn(source)) {
    const isOutput = source.startsWith("{{", start) && !source.startsWith("{{{", start) && end - start > 4;
    if (!isOutput || !attribute || !LINKS.has(attribute.name)) continue;
    const filter = filterAt(attribute);
    const code = source.slice(start, end);
    if (filter === null || IS_SAID.test(code)) continue;
    const trimmed = code.endsWith("-}}") ? 3 : 2;
    edits.push({ at: end - trimmed, removed: 0, inserted: `|${filter}` });
  }
  return edits;
}

/** Null where the variable is the whole URL, its beginning or its host, and in the address of `mailto:` and `tel:`. */
function filterAt({ before }: Attribute): string | null {
  if (before.length > MAX_URL_CHARS) return null;
  const url = before
    .replace(/\{%.*?%\}/gs, "")
    .replace(/\{\{.*?\}\}\}?/gs, VARIABLE)
    .trimStart();
  if (/^(mailto|tel|sms):[^?]*$/i.test(url)) return null;
  const behindHost = url.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, "");
  // Behind a variable that is a URL, another parameter may follow.
  if (!(url.startsWith(VARIABLE) ? /[/?#&]/ : /[/?#]/).test(behindHost)) return null;
  return /[?&][^#]*=[^&#]*$/.test(behindHost) ? LINK_FILTERS.value : LINK_FILTERS.piece;
}

/** As the value of a parameter: one that is encoded already stays. */
export function inQuery(text: string): string {
  return isEncoded(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** As a piece of a path, of a query or behind `#`: what divides URLs stays, since the value may hold several pieces. */
export function inUrl(text: string): string {
  return isEncoded(text) ? text : encodeURI(text.toWellFormed()).replace(/%25(?=[0-9a-f]{2})/gi, "%");
}

function isEncoded(text: string): boolean {
  return text.includes("%") && /^([\w.~!*'()-]|%[0-9a-f]{2})*$/i.test(text);
}
