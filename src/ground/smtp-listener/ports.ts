// The ports that speak SMTP: opened all or none, with one certificate, maintained by one loop.
//
// This room does not depend on mail. Handlers (mail/smtp/handlers.ts, mail/inbound/port.ts) decide who may log in, who may
// send to whom, and about each message; they refuse by throwing `SmtpReply`. smtp-server speaks the protocol;
// port-server.ts and connection.ts change three of its classes. While a message waits for memory, nothing is read from
// its connection.
import { LOOK_OFTEN_MS, NOTHING_DUE } from "../../base/jobs/due.ts";
import { acmeFiles } from "../../base/certificates/acme/kept.ts";
import { factsOf, filesOf, type CertificateFacts } from "../../base/certificates/read.ts";
import { CertificateSource, ownCertificate } from "../../base/certificates/source.ts";
import type { Clock } from "../../base/clock.ts";
import { DEFAULTS, ownName, type Config } from "../../base/config.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import type { Log } from "../../base/log.ts";
import { ABOUT_RIGHTS } from "../../base/private-files.ts";
import { SmtpListener } from "./listener.ts";
import type { Handlers, ListenerOptions } from "./offered.ts";

/** A port as the rooms above want it. */
export type SmtpPort = Pick<ListenerOptions, "implicitTls" | "maxBytes" | "maxRecipients" | "memory" | "utf8"> & {
  readonly setting: "submissionPort" | "submissionsPort" | "inboundPort";
  /** The purpose of the port, in brackets behind its number. */
  readonly words: string;
  readonly handlers: Handlers;
};

type PortsOptions = { readonly clock: Clock; readonly log: Log };

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use: another program listens there. Stop that, or set another port; 0 turns it off.",
  EACCES: `needs more privileges than this user has. Set a port above 1023, or let this user listen there: ${ABOUT_RIGHTS}. 0 turns it off.`,
};

type OpenPort = { readonly listener: SmtpListener; readonly words: string };

export class Ports {
  private constructor(
    private readonly opened: readonly OpenPort[],
    private readonly certificate: CertificateSource | null,
    private readonly log: Log,
  ) {}

  /**
   * Listens where the configuration says so. A default port may be taken by another Posthorn on this machine: that is
   * logged, and the rest goes on. @throws Error in plain words if a port that was configured cannot be listened on;
   * none is open then
   */
  static async open(config: Config, ports: readonly SmtpPort[], { clock, log }: PortsOptions): Promise<Ports> {
    const wanted = ports.filter(({ setting }) => config.smtp[setting] !== 0);
    if (wanted.length === 0) return new Ports([], null, log);
    const hostName = ownName(config);
    const files = filesOf(config, "smtp") ?? acmeFiles(config, "smtp");
    const certificate = files ? new CertificateSource(files, log) : ownCertificate(config, { clock, log });
    const common = { ...config.smtp, hostName, certificate: certificate.current, clock, log };
    const opened: OpenPort[] = [];
    try {
      for (const port of wanted) opened.push(...(await openOne(port, common)));
    } catch (error) {
      await Promise.all(opened.map(({ listener }) => listener.stop()));
      throw error;
    }
    return new Ports(opened, certificate, log);
  }

  /** The addresses that it listens on, in words. */
  get words(): readonly string[] {
    return this.opened.map(({ words }) => words);
  }

  /** Public facts of the certificate; null = there is no port. */
  get certificateFacts(): CertificateFacts | null {
    return this.certificate === null ? null : factsOf(this.certificate.current);
  }

  get loop(): LoopSpec {
    return { name: "watching SMTP connections", step: async () => this.#lookAfter(), lookEveryMs: LOOK_OFTEN_MS };
  }

  /** Ends slow connections, and shows a certificate that has changed; answers when to do so again. */
  #lookAfter(): number {
    const isNew = this.certificate?.refresh() ?? false;
    this.#each((listener) => listener.endSlow());
    if (isNew) this.#showCertificate();
    return NOTHING_DUE;
  }

  /** Reads the files of the certificate again, whether they look changed or not. */
  readCertificate(): void {
    if (this.certificate?.readAgain()) this.#showCertificate();
  }

  #showCertificate(): void {
    const { certificate } = this;
    if (certificate) this.#each((listener) => listener.showCertificate(certificate.current));
  }

  #each(work: (listener: SmtpListener) => void): void {
    for (const { listener, words } of this.opened) {
      try {
        work(listener);
      } catch (error) {
        this.log.error("the maintenance of an SMTP port failed", { port: words, error });
      }
    }
  }

  /** Takes no new connections; resolves when those in hand are answered. */
  async stop(): Promise<void> {
    await Promise.all(this.opened.map(({ listener }) => listener.stop()));
  }
}

type SharedPortOptions = Config["smtp"] & Pick<ListenerOptions, "hostName" | "certificate" | "clock" | "log">;

async function openOne(
  { setting, words, handlers, ...options }: SmtpPort,
  common: SharedPortOptions,
): Promise<readonly OpenPort[]> {
  const port = common[setting];
  try {
    return [
      { listener: await SmtpListener.open({ ...common, ...options, port }, handlers), words: `${port} (${words})` },
    ];
  } catch (error) {
    const { code = "" } = error as { code?: string };
    const fault = `smtp.${keyOf(setting)}: ${common.host}:${port} ${LISTEN_FAULTS[code] ?? `cannot be listened on (${code}).`}`;
    if (port !== DEFAULTS.smtp[setting]) throw new Error(fault);
    common.log.warn(`an SMTP port stays closed: ${fault}`);
    return [];
  }
}

function keyOf(setting: SmtpPort["setting"]): string {
  return setting.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
