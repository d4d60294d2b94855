// The cookies of a session and of a browser, read by hand: Elysia would prepare cookies for every route.
import type { Config } from "../../../base/config.ts";
import { KNOWN_MS } from "./devices.ts";
import { LONGEST_MS } from "./session.ts";

export type TokenCookie = {
  /** The token in a request, or null. */
  readonly in: (request: Request) => string | null;
  /** The value of a `Set-Cookie`. */
  readonly set: (token: string) => string;
  readonly clear: () => string;
};

/** The address of the server is asked each time: owners may change it. */
type Http = Pick<Config["http"], "baseUrl">;

export function sessionCookie(http: Http): TokenCookie {
  return tokenCookie(http, "posthorn", LONGEST_MS);
}

export function deviceCookie(http: Http): TokenCookie {
  return tokenCookie(http, "posthorn-device", KNOWN_MS);
}

/** Browsers keep a name with this prefix to one host and to HTTPS, so it cannot be used over plain HTTP. */
function tokenCookie(http: Http, plainName: string, longestMs: number): TokenCookie {
  const isSecure = () => http.baseUrl.startsWith("https:");
  const name = () => (isSecure() ? `__Host-${plainName}` : plainName);
  const written = (token: string, seconds: number) =>
    `${name()}=${token}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isSecure() ? "; Secure" : ""}`;
  return {
    in: ({ headers }) => valueIn(headers.get("cookie") ?? "", name()),
    set: (token) => written(token, longestMs / 1000),
    clear: () => written("", 0),
  };
}

/**
 * Over plain HTTP another service of the host may have set a cookie of this name: a value that is no token of ours is
 * skipped.
 */
function valueIn(header: string, name: string): string | null {
  const pairs = header.split(";").map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
  return values.find((value) => /^[\w-]{43}$/.test(value)) ?? null;
}
