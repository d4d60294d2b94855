// A mail to be shown, without elements that connect to a foreign server before the content security policy is applied.

/** Frames and plugins connect as soon as they are parsed, and so do links that preload resources. */
const CONNECTING = ["iframe", "frame", "object", "embed", "applet", "portal", "fencedframe", "link"];
/** Their content is shown where the element is not supported. */
const WITH_FALLBACK: ReadonlySet<string> = new Set(["frame", "object", "applet", "portal", "fencedframe"]);
const TAG = new RegExp(`<(?=(?:${CONNECTING.join("|")})(?![\\w-]))`, "gi");
/** Parsing so much takes 0.1 s of the main thread. */
const MAX_PARSED_CHARS = 1024 * 1024;

/** A tag that a browser might parse where the parser saw a text becomes a text. */
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
