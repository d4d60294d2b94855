// A provider of sign-ins (OpenID Connect): oauth2-mock-server, with a person who is signed in there, by the clock of
// the server that asks.
import { Events, OAuth2Server } from "oauth2-mock-server";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import type { Json, Posthorn, Reply } from "./posthorn.ts";
import { askAsNobody, patiently, signedIn, type Somebody } from "./people.ts";

type Settings = Config["oidc"][number];
type Claims = Readonly<Record<string, unknown>>;

export const MIA = { sub: "mia-1", email: "mia@example.com", email_verified: true, name: "Mia Lang" };

export class SignInProvider implements AsyncDisposable {
  /** Of the person who is signed in there. */
  person: Claims = MIA;
  /** Changes the claims of the next ID token, after they were put together. */
  bends: (token: Record<string, unknown>) => void = () => {};
  /** Changes the query with which the browser is sent back. */
  returns: (query: URLSearchParams) => void = () => {};
  /** Changes what it says of itself. */
  says: Claims = {};
  /** What userinfo says besides the subject. */
  info: Claims = {};
  /** Changes the answer of its token endpoint. */
  answers: (body: Record<string, unknown>) => void = () => {};
  isBroken = false;
  /** Where browsers were sent. */
  readonly visits: URL[] = [];
  asks = 0;
  #nowMs: () => number = () => 0;

  private constructor(private readonly server: OAuth2Server) {
    const { service } = server;
    service.on(Events.BeforeWellKnownOpenIdConfiguration, (answer) => {
      this.asks++;
      if (this.isBroken) answer.statusCode = 503;
      Object.assign(answer.body, { token_endpoint_auth_methods_supported: ["client_secret_basic"] }, this.says);
    });
    service.on(Events.BeforeTokenSigning, ({ payload }) => {
      const seconds = Math.floor(this.#nowMs() / 1000);
      Object.assign(payload, { iat: seconds, nbf: seconds, exp: seconds + 300 });
      if (payload["aud"] === undefined) return;
      Object.assign(payload, { auth_time: seconds }, this.person);
      this.bends(payload);
    });
    service.on(Events.BeforeResponse, (answer) => {
      if (this.isBroken) answer.statusCode = 503;
      this.answers(answer.body as Record<string, unknown>);
    });
    service.on(Events.BeforeUserinfo, (answer) => {
      Object.assign(answer.body, { sub: this.person["sub"] }, this.info);
    });
    service.on(Events.BeforeAuthorizeRedirect, ({ url }) => this.returns(url.searchParams));
  }

  static async start(): Promise<SignInProvider> {
    const server = new OAuth2Server();
    await server.issuer.keys.generate("RS256");
    await server.start(0, "127.0.0.1");
    return new SignInProvider(server);
  }

  get issuer(): string {
    return this.server.issuer.url as string;
  }

  /** As a test begins. */
  startOver(posthorn: Posthorn): void {
    this.#nowMs = () => posthorn.clock.nowMs();
    Object.assign(this, { person: MIA, says: {}, info: {}, isBroken: false });
    Object.assign(this, { bends: () => {}, returns: () => {}, answers: () => {} });
    this.visits.splice(0);
    this.asks = 0;
  }

  settings(more: Partial<Settings> = {}): Settings {
    const { issuer: _, clientId: __, label: ___, ...defaults } = DEFAULTS["team.oidc"];
    const own = { name: "default", issuer: this.issuer, clientId: "posthorn", label: "Example" };
    return { ...defaults, clientSecret: "secret of the client", ...own, ...more };
  }

  /** Takes another key, which it signs the next ID token with: the one that is used longest ago signs first. */
  async changeKeys(): Promise<void> {
    await this.server.issuer.keys.generate("RS256");
  }

  /** Sends the browser there, and answers the query with which it comes back. */
  async visit(url: string): Promise<string> {
    this.visits.push(new URL(url));
    const { headers } = await fetch(url, { redirect: "manual" });
    return new URL(headers.get("location") ?? "").search;
  }

  /** What our page then sends. */
  async returnTo(
    posthorn: Posthorn,
    provider = "default",
  ): Promise<{ readonly ticket: string; readonly answer: string }> {
    const { url, ticket } = (await askAsNobody(posthorn, "POST /session/provider-options", { provider })).body;
    return { ticket, answer: await this.visit(url) };
  }

  /** What that is answered. */
  bring(posthorn: Posthorn, returned: object): Promise<Reply> {
    return patiently(posthorn, askAsNobody(posthorn, "POST /session/provider", returned));
  }

  /** The person signs in there, with these claims from now on, and comes back. */
  async tryToEnter(posthorn: Posthorn, claims: Claims = {}, provider = "default"): Promise<Reply> {
    this.person = { ...this.person, ...claims };
    return this.bring(posthorn, await this.returnTo(posthorn, provider));
  }

  async enter(posthorn: Posthorn, claims: Claims = {}, provider = "default"): Promise<Somebody> {
    return signedIn(posthorn, await this.tryToEnter(posthorn, claims, provider));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop();
  }
}

export const refusal = ({ status, body }: Reply): Json => [status, body.error?.code, body.error?.reason];
