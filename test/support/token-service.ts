// A stand-in for the token endpoint of Microsoft or Google: it notes what it is asked, and answers as the test says.
import { createHash } from "node:crypto";

export class TokenService implements AsyncDisposable {
  /** What each request has sent, in order. */
  readonly asked: Readonly<Record<string, string>>[] = [];
  /** May be replaced while it runs; null = token-1, token-2 and so on, for an hour. */
  answer: ((request: Readonly<Record<string, string>>) => Response | Promise<Response>) | null = null;
  readonly #server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => this.#answer(request) });

  /** `path`: of its token endpoint. */
  constructor(readonly path = "/token") {}

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}${this.path}`;
  }

  /** As the services give it. */
  token(more: object = {}): Response {
    const [token_type, access_token] = ["Bearer", `token-${this.asked.length}`];
    return Response.json({ token_type, access_token, expires_in: 3_600, ...more });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    this.asked.push(form);
    return this.answer?.(form) ?? this.token();
  }
}

/** As Microsoft Entra and Google word their refusals. */
export function refusedToken(status: number, error: string, words: string): Response {
  return Response.json({ error, error_description: words }, { status });
}

/**
 * The person agrees at Google, whose page is visited: answers the query with which the browser comes back. Its code is
 * good once, for the client that has the verifier.
 */
export function agreeingAtGoogle(tokens: TokenService, clientSecret: string): (url: string) => string {
  const codes = new Map<string, URLSearchParams>();
  tokens.answer = ({ grant_type, code = "", code_verifier = "", redirect_uri, client_secret }) => {
    if (grant_type !== "authorization_code") return tokens.token();
    const asked = codes.get(code);
    codes.delete(code);
    const isRight =
      asked?.get("code_challenge") === createHash("sha256").update(code_verifier).digest("base64url") &&
      asked.get("redirect_uri") === redirect_uri &&
      client_secret === clientSecret;
    return isRight
      ? tokens.token({ refresh_token: "of a person" })
      : refusedToken(400, "invalid_grant", "Malformed auth code.");
  };
  let agreed = 0;
  return (url) => {
    const asked = new URL(url).searchParams;
    const code = `4/0A-${++agreed}`;
    codes.set(code, asked);
    const [state, iss] = [asked.get("state") ?? "", "https://accounts.google.com"];
    return `?${new URLSearchParams({ state, iss, code, scope: "https://mail.google.com/" })}`;
  };
}
