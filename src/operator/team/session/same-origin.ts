// Requests of people are accepted from pages of this server only: any page, and any picture, sends the cookie along.
import { AppError } from "../../../base/errors.ts";

/**
 * Browsers state the origin of a request in Sec-Fetch-Site, which no page can forge. On plain HTTP outside localhost
 * they omit it; there Origin must be ours. They omit that too when a page reads from its own server, and another site
 * cannot see the answer to its read. A picture in a written mail is no request of the page around it.
 * @throws AppError CROSS_SITE
 */
export function refuseCrossSite({ method, headers }: Request, baseUrl: string): void {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const own = new URL(baseUrl).origin;
  if (headers.get("sec-fetch-dest") === "image") throw notOurs();
  if (site !== null ? site === "same-origin" : origin === own) return;
  if (site === null && origin === null && isRead(method) && !isTrustworthy(own)) return;
  throw notOurs();
}

function notOurs(): AppError {
  return new AppError("CROSS_SITE", "The request does not come from a page of this server.");
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** True if browsers treat the origin as secure. */
export function isTrustworthy(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || /(^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname);
}
