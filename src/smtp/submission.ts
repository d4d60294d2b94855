// Submission (RFC 6409, RFC 8314): mail programs hand in messages on two ports, one with STARTTLS and one that begins encrypted.
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { CertificateSource } from "../smtp-listener/certificate.ts";
import { SmtpListener, type ListenerOptions } from "../smtp-listener/listener.ts";
import type { Gate } from "../workspaces/auth.ts";
import { submissionDesk } from "./desk.ts";

const LARGEST_MESSAGE_BYTES = 15 * 1024 * 1024;
const MOST_RECIPIENTS = 50;
const LOOK_EVERY_MS = 5_000;
const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is taken: something else listens there. Stop that, or set another port; 0 turns it off.",
  EACCES: "may not be listened on by this user. Set a port above 1023; 0 turns it off.",
};

export class Submission {
  private constructor(
    private readonly listeners: readonly SmtpListener[],
    private readonly certificate: CertificateSource | null,
  ) {}

  /** Listens on the ports that are on. @throws Error in plain words if one of them cannot be listened on */
  static async open(config: Config, gate: Gate, log: Log): Promise<Submission> {
    const { submissionPort, submissionsPort } = config.smtp;
    if (submissionPort === 0 && submissionsPort === 0) return new Submission([], null);
    const hostName = config.smtp.hostname ?? new URL(config.http.baseUrl).hostname.replace(/^\[|\]$/g, "");
    const nowMs = gate.clock.nowMs();
    const certificate = CertificateSource.open({ ...config.smtp, dataDir: config.data.dir, hostName, nowMs, log });
    const options = optionsOf(config, { hostName, certificate: certificate.current, clock: gate.clock, log });
    const desk = submissionDesk(gate);
    const listeners: SmtpListener[] = [];
    for (const [key, port] of Object.entries({ submission_port: submissionPort, submissions_port: submissionsPort })) {
      if (port === 0) continue;
      const implicitTls = key === "submissions_port";
      const opening = SmtpListener.open({ ...options, port, implicitTls }, desk);
      listeners.push(await opening.catch((error) => refuse(error, `smtp.${key}: ${options.host}:${port}`, listeners)));
    }
    return new Submission(listeners, certificate);
  }

  /** Ends what takes too long, and shows a certificate that has changed; answers when to do so again. */
  async step(): Promise<number> {
    for (const listener of this.listeners) listener.endSlow();
    const { certificate } = this;
    if (certificate?.refresh()) this.listeners.forEach((listener) => listener.showCertificate(certificate.current));
    return LOOK_EVERY_MS;
  }

  /** Takes nothing new; answers when what was in hand is answered. */
  async stop(): Promise<void> {
    await Promise.all(this.listeners.map((listener) => listener.stop()));
  }
}

type Place = Pick<ListenerOptions, "hostName" | "certificate" | "clock" | "log">;

function optionsOf({ smtp, delivery }: Config, place: Place): Omit<ListenerOptions, "port" | "implicitTls"> {
  return {
    ...place,
    host: smtp.host,
    maxBytes: LARGEST_MESSAGE_BYTES,
    maxRecipients: MOST_RECIPIENTS,
    connections: smtp.connections,
    connectionsPerAddress: smtp.connectionsPerAddress,
    // SES takes no such addresses; of a relay it is known only when it is talked to.
    utf8: delivery.transport !== "ses",
    insecureLoopback: smtp.insecureLoopback,
  };
}

async function refuse(error: { code?: string }, place: string, open: readonly SmtpListener[]): Promise<never> {
  await Promise.all(open.map((listener) => listener.stop()));
  throw new Error(`${place} ${LISTEN_FAULTS[error.code ?? ""] ?? `cannot be listened on (${error.code}).`}`);
}
