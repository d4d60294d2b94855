// A mail to be shown, without what opens a connection to a foreign server before the content security policy is asked.

/** Frames and plugins connect as soon as they are parsed, and so do links that say what the page will need. */
const CONNECTING = ["iframe", "frame", "object", "embed", "applet", "portal", "fencedframe", "link"];
/** What stands between them is shown where there is no such thing. */
const WITH_FALLBACK: ReadonlySet<string> = new Set(["frame", "object", "applet", "portal", "fencedframe"]);
const TAG = new RegExp(`<(?=(?:${CONNECTING.join("|")})(?![\\w-]))`, "gi");
/** Parsing takes 0.1 s of the main thread for so much. */
const MAX_PARSED_CHARS = 1024 * 1024;

/** What a browser might take for such a tag where the parser saw a text becomes a text. */
export function withoutFrames(html: string): string {
  if (html.search(TAG) === -1) return html;
  return (html.length > MAX_PARSED_CHARS ? html : parsedOut(html)).replace(TAG, "&lt;");
}

function parsedOut(html: string): string {
  const rewriter = new HTMLRewriter().on(CONNECTING.join(", "), {
    element: (element) => void (WITH_FALLBACK.has(element.tagName) ? element.removeAndKeepContent() : element.remove()),
  });
  try {
    return rewriter.transform(html);
  } catch {
    return html;
  }
}
