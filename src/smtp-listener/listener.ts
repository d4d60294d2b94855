// One port that speaks SMTP (RFC 5321): TLS, limits, patience and an orderly end. What becomes of mails is decided by the handlers above.
import { isIP, type Socket } from "node:net";
import type {
  SMTPServerAddress,
  SMTPServerAuthentication,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from "smtp-server";
import { MINUTE_MS, type Clock } from "../clock.ts";
import { hostAt } from "../ip-addresses.ts";
import { SparseWarnings } from "../jobs/sparse-warnings.ts";
import type { Log } from "../log.ts";
import { incoming } from "./incoming.ts";
import { mustBeOffered, OF_MAIL, OF_MAIL_WITH_LOG_IN } from "./parameters.ts";
import { PortServer } from "./port-server.ts";
import type { MessageMemory } from "./message-memory.ts";
import type { Certificate } from "./self-signed.ts";
import { SmtpReply } from "./smtp-reply.ts";

export type Session = SMTPServerSession;
export type Address = SMTPServerAddress;

/** Who decides. Each refuses by throwing SmtpReply; any other error is told as a passing fault, and logged. */
export type Handlers = {
  /** Null = nobody logs in here. Answers what is kept as `session.user`. */
  readonly logIn: ((login: SMTPServerAuthentication, session: Session) => Promise<unknown>) | null;
  readonly sender: (address: Address, session: Session) => Promise<void>;
  readonly recipient: (address: Address, session: Session) => Promise<void>;
  /** Whether NULs in the message are taken out; else they are refused. */
  readonly takesNulsOut?: (session: Session) => boolean;
  /** The message as it comes in (`incoming.ts`); its memory is taken back after the answer. Answers what the client is told with its 250, in lines. */
  readonly message: (slices: AsyncIterable<Buffer>, session: Session) => Promise<string>;
};

export type ListenerOptions = {
  readonly host: string;
  readonly port: number;
  /** What we call ourselves. */
  readonly hostName: string;
  /** TLS from the first byte on; otherwise STARTTLS is offered. */
  readonly implicitTls: boolean;
  readonly certificate: Certificate;
  readonly maxBytes: number;
  /** Ports that take messages for the same handlers share it. */
  readonly memory: MessageMemory;
  readonly maxRecipients: number;
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Whether addresses with other than ASCII letters before the @ can be carried on. */
  readonly utf8: boolean;
  /** Whether a client on this machine may log in without TLS. */
  readonly insecureLoopback: boolean;
  readonly clock: Clock;
  readonly log: Log;
};

/** A socket on which nothing comes is closed after that; SessionLimits knows who comes too slowly. */
const SILENCE_MS = 55_000;
/** RFC 4954 §6: the key is wrong, or was guessed at too often. */
const FAILED_LOG_INS = [535, 454];

export class SmtpListener {
  readonly #server: PortServer;
  readonly #warnings: SparseWarnings;
  #stopping = false;

  private constructor(
    private readonly options: ListenerOptions,
    private readonly handlers: Handlers,
  ) {
    this.#warnings = new SparseWarnings(options.log, options.clock, MINUTE_MS);
    this.#server = new PortServer({
      ...serverOptions(options, handlers),
      ...this.#handlers(),
      perClient: options.connectionsPerAddress,
      mustLogIn: handlers.logIn !== null,
      monotonicMs: () => options.clock.monotonicMs(),
    });
    // What a client or its network does wrong is not our trouble.
    this.#server.on("error", (error: Error) =>
      options.log.debug("an SMTP connection failed", { reason: error.message }),
    );
  }

  /** Listens. @throws Error of the system, with its `code` */
  static async open(options: ListenerOptions, handlers: Handlers): Promise<SmtpListener> {
    const listener = new SmtpListener(options, handlers);
    const { server } = listener.#server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(options.port, options.host, () => {
        server.off("error", reject);
        resolve();
      });
    });
    return listener;
  }

  /** From the next handshake on. */
  showCertificate(certificate: Certificate): void {
    this.#server.updateSecureContext(certificate);
  }

  /** Ends the connections of those who take too long; to be called every few seconds. */
  endSlow(): void {
    const nowMs = this.#nowMs();
    this.#server.endHandshakes(nowMs);
    for (const connection of this.#server.all) {
      const reason = connection.limits.isOverdue(nowMs);
      if (reason) connection.send(421, `4.4.2 ${reason}`);
    }
  }

  /** Takes no new connections and no new mails; answers when those in hand are answered. */
  stop(): Promise<void> {
    this.#stopping = true;
    const closed = new Promise<void>((resolve) => this.#server.close(resolve));
    for (const connection of this.#server.all) if (!connection.limits.isBusy) connection.send(421, GOING);
    return closed;
  }

  #handlers(): SMTPServerOptions {
    const { handlers } = this;
    return {
      onConnect: (session, done) => {
        const mayLogIn = session.secure || (this.options.insecureLoopback && isLoopback(session.remoteAddress));
        if (handlers.logIn && !mayLogIn) forbidLogIn(session);
        done();
      },
      onSecure: (_socket: Socket, session, done) => {
        permitLogIn(session);
        done();
      },
      onAuth: (login, session, done) =>
        void this.#step(session, async () => ({ user: await this.#logIn(login, session) }), done),
      onMailFrom: (address, session, done) => void this.#step(session, () => this.#sender(address, session), done),
      onRcptTo: (address, session, done) => void this.#step(session, () => this.#recipient(address, session), done),
      onData: (stream, session, done) => void this.#step(session, () => this.#message(stream, session), done),
    };
  }

  async #sender(address: Address, session: Session): Promise<void> {
    if (this.handlers.logIn && !session.user) {
      throw new SmtpReply(530, "5.7.0", session.secure ? "Log in first" : "Begin with STARTTLS, then log in");
    }
    if (session.envelope.smtpUtf8 && !this.options.utf8) throw new SmtpReply(555, "5.6.7", "SMTPUTF8 is not offered");
    mustBeOffered(address, this.handlers.logIn ? OF_MAIL_WITH_LOG_IN : OF_MAIL);
    await this.handlers.sender(address, session);
  }

  async #recipient(address: Address, session: Session): Promise<void> {
    mustBeOffered(address, []);
    await this.handlers.recipient(address, session);
  }

  async #logIn(login: SMTPServerAuthentication, session: Session): Promise<unknown> {
    try {
      const user = await this.handlers.logIn?.(login, session);
      this.#server.connectionOf(session).limits.loggedIn(this.#nowMs());
      return user;
    } catch (error) {
      if (error instanceof SmtpReply && FAILED_LOG_INS.includes(error.responseCode)) this.#tellOfGuess(session);
      throw error;
    }
  }

  /** Once a minute for each client, so that one that guesses fills no log: whoever looks after this machine may want to block it. */
  #tellOfGuess({ remoteAddress: client }: Session): void {
    this.#warnings.warn("a log-in by SMTP failed", { client }, hostAt(client) ?? "");
  }

  async #message(stream: SMTPServerDataStream, session: Session): Promise<string> {
    const { limits } = this.#server.connectionOf(session);
    const buffer = this.options.memory.newBuffer();
    limits.receives(stream, this.#nowMs());
    let isTaken = false;
    try {
      const nuls = this.handlers.takesNulsOut?.(session) ? "taken out" : "refused";
      const slices = incoming(stream, buffer, this.options.maxBytes, nuls);
      const answer = await this.handlers.message(slices, session);
      isTaken = true;
      return answer;
    } finally {
      buffer.release();
      await ended(stream);
      limits.received(this.#nowMs(), isTaken);
    }
  }

  async #step<T>(session: Session, work: () => Promise<T>, done: Done<T>): Promise<void> {
    const connection = this.#server.connectionOf(session);
    connection.limits.begins();
    const [fault, answer] = await work().then(
      (value): [null, T] => [null, value],
      (error): [SmtpReply] => [error instanceof SmtpReply ? error : this.#fault(error as Error)],
    );
    connection.limits.ends();
    done(fault, answer);
    // After the answer has gone out.
    if (this.#stopping) setImmediate(() => connection.send(421, GOING));
  }

  #fault(error: Error & { code?: string }): SmtpReply {
    // The client has gone: nobody hears the reply.
    if (!GONE.includes(error.code ?? "")) this.options.log.error("an SMTP command failed", { error });
    return new SmtpReply(451, "4.3.0", "Something went wrong here; try again later");
  }

  #nowMs(): number {
    return this.options.clock.monotonicMs();
  }
}

const GOING = "4.3.2 The server is shutting down";
const GONE = ["ECONNECTION", "ERR_STREAM_PREMATURE_CLOSE"];

type Done<T> = (error: Error | null, answer?: T) => void;

function serverOptions(options: ListenerOptions, handlers: Handlers): SMTPServerOptions {
  return {
    // RFC 5321 §4.1.3.
    name: isIP(options.hostName) ? `[${options.hostName}]` : options.hostName,
    banner: "Posthorn",
    secure: options.implicitTls,
    ...options.certificate,
    minVersion: "TLSv1.2",
    authMethods: ["PLAIN", "LOGIN"],
    // Who may log in without TLS is decided for each session.
    allowInsecureAuth: true,
    disabledCommands: [...(handlers.logIn ? [] : ["AUTH"]), ...NO_COMMANDS],
    size: options.maxBytes,
    rejectOversized: true,
    maxRecipients: options.maxRecipients,
    maxClients: options.connections,
    hideSMTPUTF8: !options.utf8,
    hideENHANCEDSTATUSCODES: false,
    // Where programs log in, the sender does not count, and the handlers look at recipients.
    lenientAddressParsing: handlers.logIn !== null,
    disableReverseLookup: true,
    socketTimeout: SILENCE_MS,
    // The end of our patience is the process's.
    closeTimeout: 2 ** 31 - 1,
    logger: false,
  };
}

/** Jokes of the library, and what only proxies may say. */
const NO_COMMANDS = ["WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD", "HELP"];

function forbidLogIn(session: Session): void {
  Object.assign(session, { disabledCommands: ["AUTH", ...NO_COMMANDS] });
}

function permitLogIn(session: Session): void {
  Reflect.deleteProperty(session, "disabledCommands");
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

/** Reads and forgets what nobody has read: the reply comes after the message. */
async function ended(stream: SMTPServerDataStream): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return;
  await new Promise((resolve) => stream.on("end", resolve).on("close", resolve).on("error", resolve).resume());
}
