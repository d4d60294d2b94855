// Where the visible part of an HTML document ends.

/** The document with `addition` in front of its last `</body>`, or at its end where there is none. */
export function beforeBodyEnd(html: string, addition: string): string {
  let at = html.length;
  // Not by the index in a lower-case copy: that of İ is two characters long.
  for (const { index } of html.matchAll(/<\/body>/gi)) at = index;
  return html.slice(0, at) + addition + html.slice(at);
}
