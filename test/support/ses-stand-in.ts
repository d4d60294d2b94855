// An Amazon SES that knows one sender domain, or none, and answers for its identity.
import type { Json } from "./posthorn.ts";

export type Call = { readonly what: string; readonly body: Json };

/** What SES knows of one domain; null = nothing. */
export type Identity = { origin: "EXTERNAL" | "AWS_SES"; selector: string; status: string; verified: boolean };

export class StandIn {
  readonly calls: Call[] = [];
  identity: Identity | null = null;
  refusal: Response | null = null;
  readonly #server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.#answer(request) });

  get endpoint(): string {
    return this.#server.url.origin;
  }

  stop(): Promise<void> {
    return this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const what = `${request.method} ${new URL(request.url).pathname}`;
    const body: Json = request.method === "GET" ? null : await request.json();
    this.calls.push({ what, body });
    if (this.refusal) return this.refusal.clone() as Response;
    const { identity } = this;
    if (what === "POST /v2/email/identities") return this.#take(body.DkimSigningAttributes);
    if (what.startsWith("PUT ")) return this.#take(body.SigningAttributes);
    if (!identity) return error(404, "NotFoundException");
    const { origin, selector, status, verified } = identity;
    const DkimAttributes = { SigningAttributesOrigin: origin, Tokens: [selector], Status: status };
    return Response.json({ VerifiedForSendingStatus: verified, DkimAttributes });
  }

  #take({ DomainSigningSelector: selector }: Json): Response {
    this.identity = { origin: "EXTERNAL", status: "PENDING", verified: false, ...this.identity, selector };
    return Response.json({});
  }
}

export function error(status: number, type: string): Response {
  return Response.json({ message: "No" }, { status, headers: { "x-amzn-errortype": type } });
}
