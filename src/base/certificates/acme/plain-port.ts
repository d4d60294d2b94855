// The port of plain HTTP: it answers ACME challenges, and redirects all other requests to HTTPS.
import { compatHosts, type Config } from "../../config.ts";
import type { LinkBases } from "../../link-bases.ts";
import type { Log } from "../../log.ts";
import { ABOUT_RIGHTS } from "../../private-files.ts";

export const CHALLENGES = "/.well-known/acme-challenge/";
/** The answer if there is no challenge. */
export const NO_CHALLENGE = "No such challenge.\n";
const FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there",
  EACCES: `this user may not listen below 1024; the unit of install-service lets it (${ABOUT_RIGHTS})`,
};

/**
 * Hosts of workspaces: where links at them lead, and the proof that a host leads here; null = the path is not a proof.
 */
export type Hosts = { readonly bases: LinkBases; readonly proofAt: (path: string) => string | null };

export class PlainPort {
  readonly #answers = new Map<string, string>();
  #server: Bun.Server<undefined> | null = null;
  #fault = "";

  constructor(
    private readonly config: Pick<Config, "http" | "compat">,
    private readonly log: Log,
    private readonly hosts: Hosts | null = null,
  ) {}

  /**
   * Listens, unless it does already. A taken port does not keep the rest from working: it is reported once, and tried
   * again later.
   */
  open(): void {
    const { http } = this.config;
    const { host, plainPort } = http;
    if (this.#server || plainPortOf(http) === 0) return;
    try {
      this.#server = Bun.serve({
        hostname: host,
        port: plainPortOf(http),
        development: false,
        reusePort: false,
        fetch: (request) => this.#answer(request),
      });
    } catch (error) {
      const { code = "" } = error as { code?: string };
      const fault = `http.plain_port: ${host}:${plainPort ?? 80} cannot be listened on: ${FAULTS[code] ?? code}`;
      if (fault !== this.#fault) this.log.error(fault);
      this.#fault = fault;
    }
  }

  show(token: string, answer: string): Disposable {
    this.#answers.set(token, answer);
    return { [Symbol.dispose]: () => void this.#answers.delete(token) };
  }

  async stop(): Promise<void> {
    await this.#server?.stop(true);
  }

  #answer(request: Request): Response {
    const { method, url } = request;
    const { hostname, pathname, search } = new URL(url);
    if (pathname.startsWith(CHALLENGES)) {
      const answer = this.#answers.get(pathname.slice(CHALLENGES.length));
      return answer === undefined ? new Response(NO_CHALLENGE, { status: 404 }) : new Response(answer);
    }
    const proof = this.hosts?.proofAt(pathname) ?? null;
    if (proof !== null) return new Response(`${proof}\n`);
    const own = this.hosts?.bases.requestHost(request) ?? null;
    const baseUrl = own === null ? this.config.http.baseUrl : (this.hosts?.bases.at(own.host) as string);
    const isForPrograms = compatHosts(this.config).includes(hostname);
    // A program's request came over the network unencrypted, its key included: it must not go on like that.
    if (isForPrograms || (method !== "GET" && method !== "HEAD"))
      return new Response(`This server speaks HTTPS: ${isForPrograms ? `https://${hostname}` : baseUrl}\n`, {
        status: 403,
      });
    return Response.redirect(`${baseUrl}${pathname}${search}`, 308);
  }
}

/** 0 = no such port. */
export function plainPortOf({ plainPort, tls }: Config["http"]): number {
  return plainPort ?? (tls === "acme" ? 80 : 0);
}
