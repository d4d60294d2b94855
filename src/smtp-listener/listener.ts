// One port that speaks SMTP (RFC 5321): TLS, limits, patience and an orderly end. What mails mean is decided at the desk above.
import { isIP, type Socket } from "node:net";
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from "smtp-server";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { EagerServer } from "./eager-server.ts";
import { incoming, tooLarge } from "./incoming.ts";
import type { Certificate } from "./self-signed.ts";
import { SmtpReply } from "./smtp-reply.ts";
import { Visit } from "./visit.ts";

export type Session = SMTPServerSession;
export type Address = SMTPServerAddress;

/** Who decides. Each refuses by throwing SmtpReply; any other error is told as a passing fault, and logged. */
export type Desk = {
  /** Null = nobody logs in here. Answers what is kept as `session.user`. */
  readonly logIn: ((login: SMTPServerAuthentication, session: Session) => Promise<unknown>) | null;
  readonly sender: (address: Address, session: Session) => Promise<void>;
  readonly recipient: (address: Address, session: Session) => Promise<void>;
  /** Answers what the client is told with its 250. */
  readonly message: (bytes: Buffer, session: Session) => Promise<string>;
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

/** A socket on which nothing comes is closed after that; Visit knows who comes too slowly. */
const SILENCE_MS = 60_000;

export class SmtpListener {
  readonly #server: SMTPServer;
  readonly #visits = new Map<string, Visit>();
  readonly #byAddress = new Map<string, number>();
  #stopping = false;

  private constructor(
    private readonly options: ListenerOptions,
    private readonly desk: Desk,
  ) {
    const Server = desk.logIn ? EagerServer : SMTPServer;
    this.#server = new Server({ ...serverOptions(options, desk), ...this.#handlers() });
    // What a client or its network does wrong is not our trouble.
    this.#server.on("error", (error: Error) =>
      options.log.debug("an SMTP connection failed", { reason: error.message }),
    );
  }

  /** Listens. @throws Error of the system, with its `code` */
  static async open(options: ListenerOptions, desk: Desk): Promise<SmtpListener> {
    const listener = new SmtpListener(options, desk);
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
    const nowMs = this.options.clock.monotonicMs();
    for (const connection of this.#server.connections) {
      const reason = this.#visits.get(connection.session.id)?.isOverdue(nowMs);
      if (reason) connection.send(421, `4.4.2 ${reason}`);
    }
  }

  /** Takes no new connections and no new mails; answers when those in hand are answered. */
  stop(): Promise<void> {
    this.#stopping = true;
    const closed = new Promise<void>((resolve) => this.#server.close(resolve));
    for (const connection of this.#server.connections) {
      if (!this.#visits.get(connection.session.id)?.isBusy) connection.send(421, "4.3.2 The server is shutting down");
    }
    return closed;
  }

  #handlers(): SMTPServerOptions {
    const { desk } = this;
    return {
      onConnect: (session, done) => void this.#answer(() => this.#enter(session), done),
      onSecure: (_socket: Socket, session, done) => {
        permitLogIn(session);
        done();
      },
      onAuth: (login, session, done) => {
        const user = async () => ({ user: await desk.logIn?.(login, session) });
        void this.#answer(user, (error, answer) => {
          if (!error) this.#visit(session).loggedIn(this.#nowMs());
          done(error, answer);
        });
      },
      onMailFrom: (address, session, done) => void this.#step(session, () => this.#sender(address, session), done),
      onRcptTo: (address, session, done) => void this.#step(session, () => desk.recipient(address, session), done),
      onData: (stream, session, done) => void this.#step(session, () => this.#message(stream, session), done),
      onClose: (session) => this.#leave(session),
    };
  }

  async #sender(address: Address, session: Session): Promise<void> {
    if (this.desk.logIn && !session.user) {
      throw new SmtpReply(530, "5.7.0", session.secure ? "Log in first" : "Begin with STARTTLS, then log in");
    }
    if (session.envelope.smtpUtf8 && !this.options.utf8) throw new SmtpReply(555, "5.6.7", "SMTPUTF8 is not offered");
    await this.desk.sender(address, session);
  }

  async #message(stream: SMTPServerDataStream, session: Session): Promise<string> {
    const visit = this.#visit(session);
    visit.receives(stream);
    const { maxBytes } = this.options;
    const cut = () => this.#connection(session)?.send(552, tooLarge(maxBytes).message);
    const bytes = await incoming(stream, {
      maxBytes,
      cut: () => {
        cut();
        this.#connection(session)?.close();
      },
    });
    return this.desk.message(bytes, session);
  }

  async #enter(session: Session): Promise<void> {
    const { connectionsPerAddress, insecureLoopback, clock } = this.options;
    const { remoteAddress } = session;
    const here = this.#byAddress.get(remoteAddress) ?? 0;
    if (here >= connectionsPerAddress) throw new SmtpReply(421, "4.7.0", "Too many connections from your address");
    this.#byAddress.set(remoteAddress, here + 1);
    this.#visits.set(session.id, new Visit(clock.monotonicMs(), this.desk.logIn !== null));
    const mayLogIn = session.secure || (insecureLoopback && isLoopback(remoteAddress));
    if (this.desk.logIn && !mayLogIn) forbidLogIn(session);
  }

  #leave(session: Session): void {
    if (!this.#visits.delete(session.id)) return;
    const rest = (this.#byAddress.get(session.remoteAddress) ?? 1) - 1;
    if (rest > 0) this.#byAddress.set(session.remoteAddress, rest);
    else this.#byAddress.delete(session.remoteAddress);
  }

  /** A command of a mail: whoever completes one has not fallen asleep. */
  async #step<T>(session: Session, work: () => Promise<T>, done: Done<T>): Promise<void> {
    const visit = this.#visit(session);
    visit.begins();
    await this.#answer(work, (error, answer) => {
      visit.ends(this.#nowMs());
      done(error, answer);
      // After the answer has gone out.
      if (this.#stopping) setImmediate(() => this.#connection(session)?.send(421, "4.3.2 The server is shutting down"));
    });
  }

  async #answer<T>(work: () => Promise<T>, done: Done<T>): Promise<void> {
    try {
      done(null, await work());
    } catch (error) {
      done(error instanceof SmtpReply ? error : this.#fault(error as Error));
    }
  }

  #fault(error: Error & { code?: string }): SmtpReply {
    // The client has gone: nobody hears the reply.
    if (error.code !== "ECONNECTION") this.options.log.error("an SMTP command failed", { error });
    return new SmtpReply(451, "4.3.0", "Something went wrong here; try again later");
  }

  #visit(session: Session): Visit {
    const visit = this.#visits.get(session.id);
    if (!visit) throw new Error("A session without a visit");
    return visit;
  }

  #connection(session: Session) {
    return [...this.#server.connections].find((connection) => connection.session.id === session.id);
  }

  #nowMs(): number {
    return this.options.clock.monotonicMs();
  }
}

type Done<T> = (error: Error | null, answer?: T) => void;

function serverOptions(options: ListenerOptions, desk: Desk): SMTPServerOptions {
  return {
    // RFC 5321 §4.1.3.
    name: isIP(options.hostName) ? `[${options.hostName}]` : options.hostName,
    banner: "Posthorn",
    secure: options.implicitTls,
    ...options.certificate,
    authMethods: ["PLAIN", "LOGIN"],
    // Who may log in without TLS is decided for each session.
    allowInsecureAuth: true,
    disabledCommands: [...(desk.logIn ? [] : ["AUTH"]), ...NO_COMMANDS],
    size: options.maxBytes,
    rejectOversized: true,
    maxRecipients: options.maxRecipients,
    maxClients: options.connections,
    hideSMTPUTF8: !options.utf8,
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
