// The port of the API, plain or with TLS: it changes its certificate without refusing a connection.
//
// Bun.serve cannot change its certificate: `reload` ignores `tls`. So a second server takes the same port, and the
// first one takes no new connections, finishes its requests, streams included, and closes idle connections.
import type { AnyElysia } from "elysia";
import { HostCertificates } from "../base/certificates/acme/hosts.ts";
import { acmeFiles } from "../base/certificates/acme/kept.ts";
import { factsOf, filesOf, type CertificateFacts } from "../base/certificates/read.ts";
import { CertificateSource } from "../base/certificates/source.ts";
import { ownAddress, type Config } from "../base/config.ts";
import { LOOK_OFTEN_MS, NOTHING_DUE } from "../base/jobs/due.ts";
import type { LoopSpec } from "../base/jobs/loops.ts";
import type { Log } from "../base/log.ts";

/**
 * Longer than most proxies and clients keep silent connections (60 s), since the side that closes first may miss a
 * request on its way, and longer than requests wait for their turn.
 */
const IDLE_TIMEOUT_SECONDS = 75;
/** No error page of Bun with our source on it; http/body/body.ts measures bodies. */
const LISTENING = {
  development: false,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  idleTimeout: IDLE_TIMEOUT_SECONDS,
};

/** Elysia compiles all routes a second time once modules that load later are there; no room has such a module. */
const NO_MODULES = { then: () => undefined };

/** `hosts`: the certificates of workspaces' hosts; null = there are none. */
type ListenerCertificates = { readonly certificate: CertificateSource | null; readonly hosts: HostCertificates | null };

type BunServer = NonNullable<AnyElysia["server"]>;

export class HttpListener {
  #current: BunServer;
  readonly #former = new Map<BunServer, Promise<void>>();

  private constructor(
    private readonly app: AnyElysia,
    private readonly http: Config["http"],
    private readonly certificate: CertificateSource | null,
    private readonly hosts: HostCertificates | null,
  ) {
    if (certificate) mustBeFree(http);
    this.#current = this.#listen(http.port);
  }

  /** @throws as the system does if the port cannot be listened on, ConfigError if the certificate cannot be used */
  static open(app: AnyElysia, http: Config["http"], { certificate, hosts }: ListenerCertificates): HttpListener {
    return new HttpListener(app, http, certificate, hosts);
  }

  get url(): string {
    return ownAddress({ ...this.http, port: this.#port });
  }

  /** Public facts of the certificate; null = plain HTTP. */
  get certificateFacts(): CertificateFacts | null {
    return this.certificate && factsOf(this.certificate.current);
  }

  get loop(): LoopSpec {
    return { name: "watching the HTTP certificate", step: async () => this.#lookAfter(), lookEveryMs: LOOK_OFTEN_MS };
  }

  /** Reads the files of the certificate again, whether they look changed or not. */
  readCertificate(): void {
    if (this.certificate?.readAgain()) this.#showCertificate();
  }

  /** Takes no new requests; resolves when those in hand are answered. */
  async stop(): Promise<void> {
    await Promise.all([this.#current.stop(), ...this.#former.values()]);
  }

  /** Cuts off the remaining requests. */
  async end(): Promise<void> {
    await Promise.all([this.#current, ...this.#former.keys()].map((server) => server.stop(true)));
  }

  get #port(): number {
    return this.#current.port ?? this.http.port;
  }

  #lookAfter(): number {
    const [isNew, areNew] = [this.certificate?.refresh() ?? false, this.hosts?.refresh() ?? false];
    if (isNew || areNew) this.#showCertificate();
    return NOTHING_DUE;
  }

  #showCertificate(): void {
    const former = this.#current;
    this.#current = this.#listen(this.#port);
    const finished = former.stop().then(() => void this.#former.delete(former));
    this.#former.set(former, finished);
  }

  /** A client that names no host with a certificate of its own gets the first one. */
  #certificatesOf({ current }: CertificateSource) {
    const named = this.hosts?.current ?? [];
    return named.length === 0 ? current : [current, ...named.map((one) => ({ ...one }))];
  }

  /** Only a server with a certificate shares its port, with its successor in this process. */
  #listen(port: number): BunServer {
    const tls = this.certificate
      ? { tls: this.#certificatesOf(this.certificate), reusePort: true }
      : { reusePort: false };
    Object.defineProperty(this.app, "promisedModules", { value: NO_MODULES, configurable: true });
    withoutItsEnd(() => this.app.listen({ ...LISTENING, ...tls, hostname: this.http.host, port }));
    return this.app.server as BunServer;
  }
}

/** Elysia hooks itself into the end of the process, which would keep every server that ever existed, with its store. */
function withoutItsEnd(listen: () => void): void {
  const known = new Set(process.listeners("beforeExit"));
  listen();
  for (const one of process.listeners("beforeExit")) if (!known.has(one)) process.off("beforeExit", one);
}

/** The certificate of [http] in the configuration; null = plain HTTP. @throws ConfigError if it cannot be used */
export function certificateOf(config: Config, log: Log): CertificateSource | null {
  const files = filesOf(config, "http") ?? acmeFiles(config, "http");
  return files && new CertificateSource(files, log);
}

/** The certificates that come by ACME; null = there are none. */
export function hostCertificatesOf(config: Config): HostCertificates | null {
  return acmeFiles(config, "http") && new HostCertificates(config);
}

/** Another process of this user could take a shared port as well. @throws as the system does */
function mustBeFree({ host, port }: Config["http"]): void {
  const probe = Bun.serve({ hostname: host, port, reusePort: false, fetch: () => new Response() });
  void probe.stop(true);
}

/** Port 0 means any free port. It is chosen before anything else, since links contain it. */
export function withPort(config: Config): Config {
  const { http } = config;
  if (http.port !== 0 || http.baseUrl !== ownAddress(http)) return config;
  const probe = Bun.listen({ hostname: http.host, port: 0, socket: { data: () => undefined } });
  const { port } = probe;
  probe.stop(true);
  return { ...config, http: { ...http, port, baseUrl: ownAddress({ ...http, port }) } };
}
