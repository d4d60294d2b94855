// The HTML part of a mail with only a text.

/** A variable or a tag, a link, which may hold variables, a special character of HTML, or the end of a line. */
const PARTS = /\{\{\{?[^{}]*\}?\}\}|\{%[^%]*%\}|https?:\/\/(?:\{\{[^{}]*\}\}|[^\s<>"{}])+|[&<>]|\r\n?|\n/gi;
/** Characters that end a sentence and not a link. */
const BEHIND_LINK = /[.,;:!?'*_~)\]]+$/;
const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Looks like the text: escaped, with its lines and blanks; links can be followed, and variables stay variables. */
export function htmlOfText(text: string): string {
  return `<div style="white-space:pre-wrap">${text.replace(PARTS, inHtml)}</div>`;
}

function inHtml(part: string): string {
  if (/^[a-z]/i.test(part)) return link(part);
  if (part.startsWith("{")) return part;
  return ESCAPED[part] ?? "<br>";
}

function link(text: string): string {
  // A bracket that the link itself has opened belongs to it.
  const behind = text.includes("(") ? "" : (BEHIND_LINK.exec(text)?.[0] ?? "");
  const url = text.slice(0, text.length - behind.length).replaceAll("&", "&amp;");
  return `<a href="${url}">${url}</a>${behind}`;
}
