// Variables in links: percent-encoded as parts of a URL, so that `+`, `&` or a blank in a value cannot change the link.
import { codesIn, codesInText, type Attribute, type Code } from "./html-places.ts";
import type { SyntaxEdit } from "./template-syntax.ts";

/** The filters appended to such a variable; templates cannot name them. */
export const LINK_FILTERS = { value: "?in-query", piece: "?in-url" } as const;

const LINKS = new Set(["href", "src", "srcset", "action", "formaction", "background", "poster", "cite", "style"]);
const HAS_LINK = /\b(href|src(set)?|(form)?action|background|poster|cite|style)\s*=/i;
/** A longer text is not a URL. */
const MAX_URL_CHARS = 4_000;
/** The author has already chosen an encoding. */
const IS_SAID = /\|\s*(raw|url_encode|cgi_escape|uri_escape)\b/;

/** Stands for a variable in a URL. */
const VARIABLE = "\0";

/** The filters for outputs in links of HTML. Edits of other kinds never concern these places. */
export function linkEdits(source: string): SyntaxEdit[] {
  if (!HAS_LINK.test(source)) return [];
  return [...codesIn(source)].flatMap((code) =>
    code.attribute && LINKS.has(code.attribute.name) ? edit(source, code, urlIn(code.attribute)) : [],
  );
}

/** Like `linkEdits`, for a text, where a URL begins with `http:` or `https:` and ends at a blank. */
export function textLinkEdits(source: string): SyntaxEdit[] {
  if (!/\bhttps?:\/\//i.test(source)) return [];
  let [before, done] = ["", 0];
  return [...codesInText(source)].flatMap((code) => {
    before = lastWord(before + source.slice(done, code.start));
    done = code.end;
    const edits = edit(source, code, /https?:\/\/.*$/is.exec(before)?.[0] ?? "");
    if (source[code.start + 1] === "{") before += VARIABLE;
    return edits;
  });
}

function lastWord(text: string): string {
  return (
    text
      .slice(-MAX_URL_CHARS - 1)
      .split(/[\s<>"'`]/)
      .at(-1) ?? ""
  );
}

/** `url`: the part before the code. */
function edit(source: string, { start, end }: Code, url: string): SyntaxEdit[] {
  const code = source.slice(start, end);
  const isOutput = code.startsWith("{{") && !code.startsWith("{{{") && code.length > 4;
  const filter = isOutput ? filterAfter(url) : null;
  if (filter === null || IS_SAID.test(code)) return [];
  return [{ at: end - (code.endsWith("-}}") ? 3 : 2), removed: 0, inserted: `|${filter}` }];
}

/** In a style, a URL is in brackets. */
function urlIn({ name, before }: Attribute): string {
  return name === "style" ? (/\burl\(\s*["']?([^)]*)$/i.exec(before)?.[1] ?? "") : before;
}

/** Null where the variable is the whole URL, its beginning or its host, and in the address of `mailto:` and `tel:`. */
function filterAfter(before: string): string | null {
  if (before.length > MAX_URL_CHARS) return null;
  const url = before
    .replace(/\{%.*?%\}/gs, "")
    .replace(/\{\{.*?\}\}\}?/gs, VARIABLE)
    .trimStart();
  if (/^(mailto|tel|sms):[^?]*$/i.test(url)) return null;
  const behindHost = url.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, "");
  // A variable that is a URL may be followed by another parameter.
  if (!(url.startsWith(VARIABLE) ? /[/?#&]/ : /[/?#]/).test(behindHost)) return null;
  return isInValue(behindHost) ? LINK_FILTERS.value : LINK_FILTERS.piece;
}

/** True after the `=` of a parameter. */
function isInValue(url: string): boolean {
  const query = url.slice(url.lastIndexOf("#") + 1);
  const equals = query.lastIndexOf("=");
  return equals > query.lastIndexOf("&") && /[?&]/.test(query.slice(0, equals));
}

/** For the value of a parameter; an already encoded value stays. */
export function inQuery(text: string): string {
  return isEncoded(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** For a piece of a path, of a query or after `#`: delimiters of URLs stay, since the value may hold several pieces. */
export function inUrl(text: string): string {
  return isEncoded(text) ? text : encodeURI(text.toWellFormed()).replace(/%25(?=[0-9a-f]{2})/gi, "%");
}

function isEncoded(text: string): boolean {
  return text.includes("%") && /^([\w.~!*'()-]|%[0-9a-f]{2})*$/i.test(text);
}
