// An authority that speaks ACME (RFC 8555): requests signed by the account, and the authority's answers.
//
// Written by hand: `acme-client` brings axios, node-forge and @peculiar/x509, which weigh 0.96 MB in the executable.
// Posthorn needs seven kinds of request, signed by what Bun has.
import { createHash, createPublicKey, sign, type KeyObject } from "node:crypto";
import { version } from "../../../../package.json";

export type Directory = { readonly newNonce: string; readonly newAccount: string; readonly newOrder: string };

/** As RFC 7807 and RFC 8555 §6.7 name them. */
export type AcmeProblem = { readonly type?: string; readonly detail?: string };

/** A refusal by the authority; `retryAfterMs`: when it wants the next attempt, if it says so. */
export class AcmeRefusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly problem: AcmeProblem,
    readonly retryAfterMs: number | null = null,
  ) {
    super(problem.detail ?? problem.type ?? "no reason given");
  }

  is(kind: string): boolean {
    return this.problem.type === `urn:ietf:params:acme:error:${kind}`;
  }
}

export type AcmeAnswer<T> = { readonly body: T; readonly text: string; readonly headers: Headers };

const MAX_WAIT_MS = 30_000;
/** An authority may forget nonces at any time, and sends a new one each time. */
const MOST_ATTEMPTS = 8;

type AcmeOptions = {
  readonly directory: Directory;
  /** On P-256. */
  readonly key: KeyObject;
  /** Certificates (PEM) that the authority's own certificate is checked with; null = those of the system. */
  readonly ca: string | null;
};

export class Authority {
  readonly #jwk: Readonly<Record<string, string>>;
  #account: string | null = null;
  #nonce: string | null = null;

  private constructor(private readonly options: AcmeOptions) {
    const { crv, kty, x, y } = createPublicKey(options.key).export({ format: "jwk" });
    this.#jwk = { crv, kty, x, y } as Record<string, string>;
  }

  /** Makes an account for the key, or finds it. @throws Refusal, or Error if the authority cannot be reached */
  static async open(url: string, account: Omit<AcmeOptions, "directory"> & { readonly email: string | null }) {
    const response = await fetch(url, optionsOf(account.ca));
    if (!response.ok) throw new AcmeRefusal({ detail: `${url} answers with ${response.status}` });
    const authority = new Authority({ ...account, directory: (await response.json()) as Directory });
    const contact = account.email === null ? {} : { contact: [`mailto:${account.email}`] };
    const { newAccount } = authority.options.directory;
    const { headers } = await authority.ask(newAccount, { termsOfServiceAgreed: true, ...contact });
    authority.#account = headers.get("location");
    return authority;
  }

  get directory(): Directory {
    return this.options.directory;
  }

  /** The proof of control of a name: the token and the thumbprint of the account's key (RFC 8555 §8.1). */
  keyAuthorization(token: string): string {
    const thumbprint = createHash("sha256").update(JSON.stringify(this.#jwk)).digest("base64url");
    return `${token}.${thumbprint}`;
  }

  /** A request without a payload only reads. @throws Refusal, or Error if the authority cannot be reached */
  async ask<T>(url: string, payload?: unknown): Promise<AcmeAnswer<T>> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#send(url, payload);
      this.#nonce = response.headers.get("replay-nonce");
      const text = await response.text();
      const isJson = /json/.test(response.headers.get("content-type") ?? "");
      const body = isJson ? JSON.parse(text) : null;
      if (response.ok) return { body, text, headers: response.headers };
      const refusal = new AcmeRefusal(
        body ?? { detail: `${url} answers with ${response.status}` },
        waitOf(response.headers),
      );
      if (!refusal.is("badNonce") || attempt === MOST_ATTEMPTS) throw refusal;
    }
  }

  async #send(url: string, payload: unknown): Promise<Response> {
    const { directory, key, ca } = this.options;
    this.#nonce ??= (await fetch(directory.newNonce, { method: "HEAD", ...optionsOf(ca) })).headers.get("replay-nonce");
    const who = this.#account === null ? { jwk: this.#jwk } : { kid: this.#account };
    const head = encoded({ alg: "ES256", nonce: this.#nonce, url, ...who });
    const content = payload === undefined ? "" : encoded(payload);
    const signature = sign("sha256", Buffer.from(`${head}.${content}`), { key, dsaEncoding: "ieee-p1363" });
    const body = JSON.stringify({ protected: head, payload: content, signature: signature.toString("base64url") });
    const { headers, ...options } = optionsOf(ca);
    return fetch(url, {
      ...options,
      method: "POST",
      headers: { ...headers, "content-type": "application/jose+json" },
      body,
    });
  }
}

/** How long the authority wants us to wait; null = it does not say. */
export function waitOf(headers: Headers): number | null {
  const seconds = Number(headers.get("retry-after") ?? NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

function optionsOf(ca: string | null) {
  return {
    headers: { "user-agent": `posthorn/${version}` },
    signal: AbortSignal.timeout(MAX_WAIT_MS),
    ...(ca === null ? {} : { tls: { ca } }),
  };
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
