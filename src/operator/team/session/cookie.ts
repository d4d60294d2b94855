// The cookies of a session and of a browser, read by hand: Elysia would prepare cookies for every route.
import { KNOWN_MS } from "./devices.ts";
import { LONGEST_MS } from "./session.ts";

export type TokenCookie = {
  readonly name: string;
  /** The token in a request, or null. */
  readonly in: (request: Request) => string | null;
  /** The value of a `Set-Cookie`. */
  readonly set: (token: string) => string;
  readonly clear: string;
};

export function sessionCookie(baseUrl: string): TokenCookie {
  return tokenCookie(baseUrl, "posthorn", LONGEST_MS);
}

export function deviceCookie(baseUrl: string): TokenCookie {
  return tokenCookie(baseUrl, "posthorn-device", KNOWN_MS);
}

/** Browsers keep a name with this prefix to one host and to HTTPS, so it cannot be used over plain HTTP. */
function tokenCookie(baseUrl: string, plainName: string, longestMs: number): TokenCookie {
  const isSecure = baseUrl.startsWith("https:");
  const name = isSecure ? `__Host-${plainName}` : plainName;
  const terms = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    name,
    in: ({ headers }) => valueIn(headers.get("cookie") ?? "", name),
    set: (token) => `${name}=${token}; Max-Age=${longestMs / 1000}; ${terms}`,
    clear: `${name}=; Max-Age=0; ${terms}`,
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
