// Mail from outside as the process runs it: the port on which it comes in, and its certificate.
import type { Clock } from "../clock.ts";
import { DEFAULTS, type Config } from "../config.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import { ClientLimit } from "../http/client-limit.ts";
import type { Log } from "../log.ts";
import { CertificateSource } from "../smtp-listener/certificate.ts";
import { SmtpListener } from "../smtp-listener/listener.ts";
import { Room } from "../smtp-listener/room.ts";
import type { Store } from "../store/store.ts";
import { inboundDesk } from "./desk.ts";
import { SLICE_BYTES } from "./message.ts";

export type ReceptionOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly returnPath: ReturnPathOptions;
  /** What we call ourselves. */
  readonly hostName: string;
};

const LARGEST_MESSAGE_BYTES = 25 * 1024 * 1024;
const MOST_RECIPIENTS = 50;
const LOOK_EVERY_MS = 5_000;
/** The network around a client may bring so many times as much as one client. */
const CLIENTS_A_NETWORK = 4;
const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is taken: something else listens there. Stop that, or set another port; 0 turns it off.",
  EACCES: "may not be listened on by this user. Set a port above 1023; 0 turns it off.",
};

export class Reception {
  private constructor(
    private readonly listener: SmtpListener | null,
    private readonly certificate: CertificateSource | null,
    private readonly port = 0,
  ) {}

  /**
   * Listens if `smtp.inbound_port` is on. If nobody has chosen it, another Posthorn on this machine may have it: that is
   * complained of. @throws Error in plain words if one that was chosen cannot be listened on
   */
  static async open(config: Config, { store, clock, log, returnPath, hostName }: ReceptionOptions): Promise<Reception> {
    const { host, inboundPort: port, connections, connectionsPerAddress } = config.smtp;
    if (port === 0) return new Reception(null, null);
    const certificate = CertificateSource.open({
      ...config.smtp,
      dataDir: config.data.dir,
      hostName,
      nowMs: clock.nowMs(),
      log,
    });
    const options = {
      ...{ host, port, hostName, clock, log, connections, connectionsPerAddress },
      ...{ certificate: certificate.current, implicitTls: false, utf8: true, insecureLoopback: false },
      ...{
        maxBytes: LARGEST_MESSAGE_BYTES,
        room: new Room([{ bytes: SLICE_BYTES, places: 256 }]),
        maxRecipients: MOST_RECIPIENTS,
      },
    };
    const limit = limitOf(config);
    const desk = inboundDesk({ store, clock, returnPath, hostName, limit });
    try {
      return new Reception(await SmtpListener.open(options, desk), certificate, port);
    } catch (error) {
      const { code = "" } = error as { code?: string };
      const fault = `smtp.inbound_port: ${host}:${port} ${LISTEN_FAULTS[code] ?? `cannot be listened on (${code}).`}`;
      if (port !== DEFAULTS.smtp.inboundPort) throw new Error(fault);
      log.warn(`no mail is taken from outside: ${fault}`);
      return new Reception(null, null);
    }
  }

  /** Where it listens, in words. */
  get ports(): readonly string[] {
    return this.listener ? [`${this.port} (mail from outside)`] : [];
  }

  /** Ends what takes too long, and shows a certificate that has changed; answers when to do so again. */
  async step(): Promise<number> {
    this.listener?.endSlow();
    if (this.certificate?.refresh()) this.listener?.showCertificate(this.certificate.current);
    return LOOK_EVERY_MS;
  }

  /** Takes nothing new; answers when what was in hand is answered. */
  async stop(): Promise<void> {
    await this.listener?.stop();
  }
}

function limitOf({ limits }: Config): ClientLimit {
  const perClient = limits.inboundPerMinute;
  return new ClientLimit({ perClient, perNetwork: CLIENTS_A_NETWORK * perClient, windowMs: 60_000 });
}
