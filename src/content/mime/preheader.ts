// The preheader: what mail programs show beside the subject in the list of mails. It is hidden at the start of the
// HTML, where they find it.

const HIDDEN =
  "display:none;mso-hide:all;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:transparent";
/** A list shows so many characters; what a short preheader leaves would be filled with the beginning of the mail. */
const LINE_CHARS = 130;
/** Takes room in a list and shows nothing. */
const BLANK = "&#847;&zwnj;&nbsp;";

/** What variables print beyond this is seen by nobody. */
const MOST_CHARS = 500;

/** The HTML with `preheader`, which is plain text; an empty one is none, and a mail without HTML gets none by it. */
export function withPreheader(html: string, preheader: string): string {
  const line = preheader.trim().slice(0, MOST_CHARS).toWellFormed();
  if (line === "" || html === "") return html;
  const blanks = BLANK.repeat(Math.max(0, LINE_CHARS - line.length));
  const at = startOfBody(html);
  return `${html.slice(0, at)}<div style="${HIDDEN}">${Bun.escapeHTML(line)}${blanks}</div>${html.slice(at)}`;
}

/** Behind `<body …>`; where there is none, behind the head or what else opens the document. */
export function startOfBody(html: string): number {
  const body = html.search(/<body[\s>]/i);
  if (body !== -1) return afterTag(html, body);
  const head = /<\/head\s*>/i.exec(html);
  if (head) return head.index + head[0].length;
  return /^(\s*<!doctype[^>]*>)?(\s*<html[^>]*>)?/i.exec(html)?.[0].length ?? 0;
}

/** Quoted values may hold a `>`. A tag without an end ends the document. */
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
