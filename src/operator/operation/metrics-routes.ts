// Where Prometheus reads: a path on the API's port, a port of its own, or both. No part of the interface.
import { createHash, timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import type { Config } from "../../base/config.ts";
import { ABOUT_RIGHTS } from "../../base/private-files.ts";

type MetricsPage = { readonly text: () => Promise<string> };

const TEXT = { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" };
const PATH = "/metrics";

export function metricsRoutes(figures: MetricsPage, { path, token }: Config["metrics"]) {
  const app = new Elysia();
  if (path === null) return app;
  return app.get(path, ({ request }) => answer(figures, token, request), { detail: { hide: true } });
}

/** `others`: the other paths answered there. @throws Error in plain words if the port cannot be listened on */
export function listenForMetrics(
  figures: MetricsPage,
  { host, port, token }: Config["metrics"],
  others: Readonly<Record<string, () => Response>> = {},
): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: host,
      port,
      development: false,
      reusePort: false,
      routes: { [PATH]: (request: Request) => answer(figures, token, request), ...others },
      fetch: () => new Response(`Figures are at ${PATH}.\n`, { status: 404 }),
    });
  } catch (error) {
    const { code } = error as { readonly code?: string };
    const about = code === "EACCES" ? ` See ${ABOUT_RIGHTS}.` : "";
    throw new Error(`${host}:${port} cannot be listened on for figures (${code}). Set another metrics.port.${about}`);
  }
}

async function answer(figures: MetricsPage, token: string | null, request: Request): Promise<Response> {
  if (token !== null && !isSame(request.headers.get("authorization") ?? "", `Bearer ${token}`))
    return new Response("Send the token of [metrics] as Authorization: Bearer.\n", {
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    });
  return new Response(await figures.text(), { headers: TEXT });
}

/** Compares in constant time: it does not reveal a common beginning. */
function isSame(given: string, known: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(known));
}
