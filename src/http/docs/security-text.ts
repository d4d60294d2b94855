// /.well-known/security.txt (RFC 9116): whom to tell of a weakness of this server.
import { Elysia, type AnyElysia } from "elysia";
import { iso, type Clock } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";

const PATH = "/.well-known/security.txt";
/** The file is made at each request, so it never is about to expire. */
const LASTS_MS = 30 * 86_400_000;

/** No route without an address for reports. It is not part of the API. */
export function securityTextRoutes({ securityEmail, baseUrl }: Config["http"], clock: Clock): readonly AnyElysia[] {
  if (securityEmail === null) return [];
  const text = () =>
    [
      `Contact: mailto:${encodeURI(securityEmail)}`,
      `Expires: ${iso(clock.nowMs() + LASTS_MS)}`,
      `Canonical: ${baseUrl}${PATH}`,
      "",
    ].join("\n");
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return [new Elysia().get(PATH, () => new Response(text(), { headers }), { detail: { hide: true } })];
}
