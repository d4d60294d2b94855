// Requests of people come from pages of this server, and from no other site: a cookie alone is sent along by any page.
import { AppError } from "../errors.ts";

/**
 * Browsers say where a request comes from in Sec-Fetch-Site, which no page can forge. On plain HTTP outside localhost they leave it
 * out; there Origin must be ours. They leave out that too when a page reads from its own server, and what another site reads it does
 * not get to see.
 * @throws AppError CROSS_SITE
 */
export function refuseCrossSite({ method, headers }: Request, baseUrl: string): void {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const own = new URL(baseUrl).origin;
  if (site !== null ? site === "same-origin" : origin === own) return;
  if (site === null && origin === null && isRead(method) && !isTrustworthy(own)) return;
  throw new AppError("CROSS_SITE", "The request does not come from a page of this server.");
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether browsers count it as secure. */
export function isTrustworthy(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || /(^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname);
}
