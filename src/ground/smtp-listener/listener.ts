// One port that speaks SMTP (RFC 5321): TLS, limits, timeouts and an orderly end. Handlers decide about each message.
import type { Socket } from "node:net";
import type { SMTPServerAuthentication, SMTPServerDataStream, SMTPServerOptions } from "smtp-server";
import { MINUTE_MS } from "../../base/clock.ts";
import { hostAt } from "../../base/ip-addresses.ts";
import { SparseWarnings } from "../../base/jobs/sparse-warnings.ts";
import { incoming } from "./incoming.ts";
import { PortServer } from "./port-server.ts";
import {
  forbidLogIn,
  isLoopback,
  mustBeOffered,
  OF_MAIL,
  OF_MAIL_WITH_LOG_IN,
  permitLogIn,
  serverOptions,
  type Address,
  type Handlers,
  type ListenerOptions,
  type ServerSession,
} from "./offered.ts";
import type { Certificate } from "../../base/certificates/self-signed.ts";
import { SmtpReply } from "./smtp-reply.ts";

/** RFC 4954 §6: a wrong key, or too many attempts. */
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
    // Mistakes of a client or its network are not our trouble.
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

  /** Ends the connections that take too long; to be called every few seconds. */
  endSlow(): void {
    const nowMs = this.#nowMs();
    this.#server.endHandshakes(nowMs);
    for (const connection of this.#server.all) {
      const reason = connection.limits.isOverdue(nowMs);
      if (reason) connection.send(421, `4.4.2 ${reason}`);
    }
  }

  /** Takes no new connections and no new mails; resolves when those in hand are answered. */
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
        this.#server.options.hideSMTPUTF8 = !this.options.utf8();
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

  async #sender(address: Address, session: ServerSession): Promise<void> {
    if (this.handlers.logIn && !session.user) {
      throw new SmtpReply(530, "5.7.0", session.secure ? "Log in first" : "Use STARTTLS, then log in");
    }
    if (session.envelope.smtpUtf8 && !this.options.utf8()) throw new SmtpReply(555, "5.6.7", "SMTPUTF8 is not offered");
    mustBeOffered(address, this.handlers.logIn ? OF_MAIL_WITH_LOG_IN : OF_MAIL);
    await this.handlers.sender(address, session);
  }

  async #recipient(address: Address, session: ServerSession): Promise<void> {
    mustBeOffered(address, []);
    await this.handlers.recipient(address, session);
  }

  async #logIn(login: SMTPServerAuthentication, session: ServerSession): Promise<unknown> {
    try {
      const user = await this.handlers.logIn?.(login, session);
      this.#server.connectionOf(session).limits.loggedIn(this.#nowMs());
      return user;
    } catch (error) {
      if (error instanceof SmtpReply && FAILED_LOG_INS.includes(error.responseCode)) this.#tellOfGuess(session);
      throw error;
    }
  }

  /**
   * Once a minute for each client, so that guessing does not fill the log; an operator may want to block the client.
   */
  #tellOfGuess({ remoteAddress: client }: ServerSession): void {
    this.#warnings.warn("an SMTP login failed", { client }, hostAt(client) ?? "");
  }

  async #message(stream: SMTPServerDataStream, session: ServerSession): Promise<string> {
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

  async #step<T>(session: ServerSession, work: () => Promise<T>, done: ListenerCallback<T>): Promise<void> {
    const connection = this.#server.connectionOf(session);
    connection.limits.begins();
    const [fault, answer] = await work().then(
      (value): [null, T] => [null, value],
      (error): [SmtpReply] => [error instanceof SmtpReply ? error : this.#fault(error as Error)],
    );
    connection.limits.ends();
    done(fault, answer);
    // After the answer is sent.
    if (this.#stopping) setImmediate(() => connection.send(421, GOING));
  }

  #fault(error: Error & { code?: string }): SmtpReply {
    // The client has gone and does not get the reply.
    if (!GONE.includes(error.code ?? "")) this.options.log.error("an SMTP command failed", { error });
    return new SmtpReply(451, "4.3.0", "Internal error; try again later");
  }

  #nowMs(): number {
    return this.options.clock.monotonicMs();
  }
}

const GOING = "4.3.2 The server is shutting down";
const GONE = ["ECONNECTION", "ERR_STREAM_PREMATURE_CLOSE"];

type ListenerCallback<T> = (error: Error | null, answer?: T) => void;

/** Reads and drops the rest of the message: the reply comes after it. */
async function ended(stream: SMTPServerDataStream): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return;
  await new Promise((resolve) => stream.on("end", resolve).on("close", resolve).on("error", resolve).resume());
}
