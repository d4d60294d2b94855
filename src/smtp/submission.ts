// Submission (RFC 6409, RFC 8314): mail programs hand in messages on two ports, one with STARTTLS and one that begins encrypted.
import { DEFAULTS, type Config } from "../config.ts";
import type { Log } from "../log.ts";
import { CertificateSource } from "../smtp-listener/certificate.ts";
import { SmtpListener, type Desk, type ListenerOptions } from "../smtp-listener/listener.ts";
import { Room } from "../smtp-listener/room.ts";
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
    /** Where it listens, in words. */
    readonly ports: readonly string[],
  ) {}

  /**
   * Listens on the ports that are on. One that nobody has chosen may be taken by another Posthorn on this machine: that is
   * complained of, and the rest goes on. @throws Error in plain words if one that was chosen cannot be listened on
   */
  static async open(config: Config, gate: Gate, log: Log): Promise<Submission> {
    const wishes = wishesOf(config);
    if (wishes.length === 0) return new Submission([], null, []);
    const hostName = config.smtp.hostname ?? new URL(config.http.baseUrl).hostname.replace(/^\[|\]$/g, "");
    const nowMs = gate.clock.nowMs();
    const certificate = CertificateSource.open({ ...config.smtp, dataDir: config.data.dir, hostName, nowMs, log });
    const options = optionsOf(config, { hostName, certificate: certificate.current, clock: gate.clock, log });
    const opened = await openAll(wishes, options, submissionDesk(gate, config.smtp.tracking));
    return new Submission(
      opened.map(({ listener }) => listener),
      certificate,
      opened.map(({ wish }) => `${wish.port} (${wish.implicitTls ? "TLS" : "STARTTLS"})`),
    );
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

type Common = Omit<ListenerOptions, "port" | "implicitTls">;

function optionsOf({ smtp, delivery }: Config, place: Place): Common {
  return {
    ...place,
    host: smtp.host,
    maxBytes: LARGEST_MESSAGE_BYTES,
    room: new Room([
      { bytes: 512 * 1024, places: 64 },
      { bytes: LARGEST_MESSAGE_BYTES + 1, places: 4 },
    ]),
    maxRecipients: MOST_RECIPIENTS,
    connections: smtp.connections,
    connectionsPerAddress: smtp.connectionsPerAddress,
    // SES takes no such addresses; of a relay it is known only when it is talked to.
    utf8: delivery.transport !== "ses",
    insecureLoopback: smtp.insecureLoopback,
  };
}

type Wish = {
  readonly key: string;
  readonly port: number;
  readonly implicitTls: boolean;
  readonly isChosen: boolean;
};
type Opened = { readonly wish: Wish; readonly listener: SmtpListener };

function wishesOf({ smtp }: Config): readonly Wish[] {
  const { submissionPort, submissionsPort } = DEFAULTS.smtp;
  const ports = [
    { key: "submission_port", port: smtp.submissionPort, implicitTls: false, unchosen: submissionPort },
    { key: "submissions_port", port: smtp.submissionsPort, implicitTls: true, unchosen: submissionsPort },
  ];
  return ports.filter(({ port }) => port !== 0).map((one) => ({ ...one, isChosen: one.port !== one.unchosen }));
}

/** All or none. */
async function openAll(wishes: readonly Wish[], options: Common, desk: Desk): Promise<Opened[]> {
  const opened: Opened[] = [];
  try {
    for (const wish of wishes) opened.push(...(await openOne(wish, options, desk)));
    return opened;
  } catch (error) {
    await Promise.all(opened.map(({ listener }) => listener.stop()));
    throw error;
  }
}

async function openOne(wish: Wish, options: Common, desk: Desk): Promise<Opened[]> {
  const { key, port, implicitTls, isChosen } = wish;
  try {
    return [{ wish, listener: await SmtpListener.open({ ...options, port, implicitTls }, desk) }];
  } catch (error) {
    const { code = "" } = error as { code?: string };
    const fault = `smtp.${key}: ${options.host}:${port} ${LISTEN_FAULTS[code] ?? `cannot be listened on (${code}).`}`;
    if (isChosen) throw new Error(fault);
    options.log.warn(`no mail is taken by SMTP there: ${fault}`);
    return [];
  }
}
