// The content security policy of a page that shows a mail: it can run, send and fetch nothing.

/**
 * The frame has an origin of its own, so our server is not "self" to it: no mail counts an open or calls the API by a
 * picture. `images`: other sources of pictures than the mail itself. `sandbox` also stands on the frame; here it holds
 * when the address is opened directly.
 */
export function letterHeaders(kind: "html" | "plain", images: string, sandbox = "sandbox"): Record<string, string> {
  return {
    "content-type": `text/${kind}; charset=utf-8`,
    "cache-control": "no-store",
    "content-security-policy": [
      sandbox,
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      `img-src data: ${images}`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ].join("; "),
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "x-dns-prefetch-control": "off",
  };
}

/** Images that this server keeps reveal nothing to others; foreign ones are fetched only on request. */
export function imagesFrom(bases: readonly string[], hasAll: boolean): string {
  return hasAll ? "https: http:" : [...new Set(bases)].map((base) => `${base}/i/`).join(" ");
}
