// The preheader: the text that mail programs show beside the subject in a list of mails. It is hidden at the start of
// the HTML, where they find it.

const HIDDEN =
  "display:none;mso-hide:all;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:transparent";
/** The characters that a list shows; after a short preheader, it would show the beginning of the mail. */
const LINE_CHARS = 130;
/** Takes space in a list and shows nothing. */
const BLANK = "&#847;&zwnj;&nbsp;";

/** Longer output of variables is never visible. */
const MOST_CHARS = 500;

/** The HTML with `preheader`, which is plain text. Without a preheader or HTML, the HTML stays unchanged. */
export function withPreheader(html: string, preheader: string): string {
  const line = preheader.trim().slice(0, MOST_CHARS).toWellFormed();
  if (line === "" || html === "") return html;
  const blanks = BLANK.repeat(Math.max(0, LINE_CHARS - line.length));
  const at = startOfBody(html);
  return `${html.slice(0, at)}<div style="${HIDDEN}">${Bun.escapeHTML(line)}${blanks}</div>${html.slice(at)}`;
}

/** The position after `<body …>`, or else after the head or the other opening tags of the document. */
export function startOfBody(html: string): number {
  const body = html.search(/<body[\s>]/i);
  if (body !== -1) return afterTag(html, body);
  const head = /<\/head\s*>/i.exec(html);
  if (head) return head.index + head[0].length;
  return /^(\s*<!doctype[^>]*>)?(\s*<html[^>]*>)?/i.exec(html)?.[0].length ?? 0;
}

/** Quoted values may contain a `>`. An unclosed tag ends the document. */
function afterTag(html: string, start: number): number {
  let quote = "";
  for (let at = start; at < html.length; at++) {
    const character = html[at] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === ">") return at + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  return html.length;
}
