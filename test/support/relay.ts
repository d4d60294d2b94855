// A real SMTP server for tests: takes mails, keeps them, and refuses what the test tells it to refuse.
import { readFileSync } from "node:fs";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";

export type ReceivedMail = {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly raw: Buffer;
  /** Whether MAIL said SMTPUTF8. */
  readonly utf8: boolean;
  readonly secure: boolean;
  readonly user: string | null;
};

/** Answers such as `550 5.1.1 No such user`; a list is used up one by one, and then the relay says yes. */
export type Answers = string | string[];

export type RelayScript = {
  readonly connect?: Answers;
  readonly mail?: Answers;
  readonly rcpt?: Answers;
  readonly data?: Answers;
  /** By recipient address, at RCPT. */
  readonly recipients?: Readonly<Record<string, Answers>>;
};

export type RelayOptions = {
  readonly tls?: "none" | "starttls" | "implicit";
  /** Whose name the certificate bears; "elsewhere" is not 127.0.0.1. */
  readonly certificate?: "localhost" | "elsewhere";
  readonly login?: { readonly user: string; readonly password: string };
  /** The answer to an access token: "235", a refusal, or "334", which is followed by one. */
  readonly tokens?: (user: string, token: string) => string;
  readonly authMethods?: readonly ("PLAIN" | "LOGIN" | "XOAUTH2")[];
  readonly hide?: readonly ("PIPELINING" | "8BITMIME" | "SMTPUTF8")[];
  readonly maxBytes?: number;
  /** It refuses a MAIL after so many in a session, and keeps the session. */
  readonly mailsPerSession?: number;
  /** It hangs up behind so many mails of a session. */
  readonly closesAfter?: number;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  readonly script?: RelayScript;
};

/** PEM of the certificate that a relay shows; also what to give a client as its authority. */
export function certificatePem(name: "localhost" | "elsewhere" = "localhost"): string {
  return pem(`${name}.cert`);
}

/** Starts a relay on 127.0.0.1. */
export async function startRelay(options: RelayOptions = {}): Promise<Relay> {
  const relay = new Relay(options);
  await relay.listen(options.port ?? 0);
  return relay;
}

/** Greets at once: the library waits 100 ms for those who talk first. */
class PromptServer extends SMTPServer {
  override connect(...[socket, options]: Parameters<SMTPServer["connect"]>): void {
    super.connect(socket, options);
    for (const connection of this.connections) {
      if (connection._socket !== socket) continue;
      const greet = connection.connectionReady.bind(connection);
      // The library's own timer calls this later.
      connection.connectionReady = () => {};
      greet();
    }
  }
}

export class Relay {
  readonly mails: ReceivedMail[] = [];
  /** May be replaced while the relay runs. */
  script: RelayScript;
  /** How many connections there ever were, and how many of them have ended. */
  connections = 0;
  closed = 0;
  readonly #server: SMTPServer;
  readonly #login: RelayOptions["login"];
  readonly #tokens: RelayOptions["tokens"];
  readonly #limits: Pick<RelayOptions, "mailsPerSession" | "closesAfter">;
  /** Mails that each session has begun. */
  readonly #begun = new Map<string, number>();
  #waiters: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];

  constructor(options: RelayOptions) {
    this.script = options.script ?? {};
    this.#login = options.login;
    this.#tokens = options.tokens;
    this.#limits = options;
    this.#server = new PromptServer({ ...serverOptions(options), ...this.#handlers() });
    this.#server.on("error", () => {});
  }

  get port(): number {
    const address = this.#server.server.address();
    if (address === null || typeof address === "string") throw new Error("The relay does not listen");
    return address.port;
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
  }

  /** The mails taken so far, as soon as there are `count` of them. */
  async received(count: number): Promise<readonly ReceivedMail[]> {
    await this.#until(() => this.mails.length >= count);
    return this.mails;
  }

  /** Comes back when `count` connections have ended. */
  hungUp(count: number): Promise<void> {
    return this.#until(() => this.closed >= count);
  }

  /** Stops listening and cuts every connection. */
  stop(): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#server.close(resolve));
    this.hangUp();
    return stopped;
  }

  /** Cuts every connection, and listens for others. */
  hangUp(): void {
    for (const connection of this.#server.connections) connection._socket.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #handlers(): SMTPServerOptions {
    return {
      onConnect: (_session, done) => {
        this.connections++;
        done(faultOf(this.script.connect));
      },
      onClose: () => {
        this.closed++;
        this.#look();
      },
      onAuth: ({ username = "", password, accessToken }, _session, done) => {
        if (accessToken !== undefined) {
          const answer = this.#tokens?.(username, accessToken) ?? "535 5.7.8 Not taken";
          if (answer === "334") return done(null, { data: { status: "401", schemes: "bearer", scope: "mail" } });
          return answer === "235" ? done(null, { user: username }) : done(fault(answer));
        }
        const right = username === this.#login?.user && password === this.#login?.password;
        return right ? done(null, { user: username }) : done(fault("535 5.7.8 Authentication credentials invalid"));
      },
      onMailFrom: (_address, session, done) => done(this.#countedIn(session) ?? faultOf(this.script.mail)),
      onRcptTo: ({ address }, _session, done) =>
        done(faultOf(this.script.recipients?.[address]) ?? faultOf(this.script.rcpt)),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => this.#judge(session, Buffer.concat(chunks), done));
      },
    };
  }

  #countedIn({ id }: SMTPServerSession): Error | null {
    const begun = (this.#begun.get(id) ?? 0) + 1;
    this.#begun.set(id, begun);
    const { mailsPerSession = Infinity, closesAfter = Infinity } = this.#limits;
    if (begun > closesAfter) [...this.#server.connections].find((one) => one.session.id === id)?._socket.destroy();
    return begun > mailsPerSession ? fault("452 4.5.3 Too many messages in this session") : null;
  }

  #judge(session: SMTPServerSession, raw: Buffer, done: (error?: Error | null, reply?: string) => void): void {
    const refused = faultOf(this.script.data);
    if (refused) return done(refused);
    this.mails.push(mailOf(session, raw));
    done(null, `2.0.0 Ok: queued as TEST${this.mails.length}`);
    this.#look();
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ holds, resolve });
      this.#look();
    });
  }

  #look(): void {
    const fulfilled = this.#waiters.filter(({ holds }) => holds());
    this.#waiters = this.#waiters.filter((waiter) => !fulfilled.includes(waiter));
    for (const { resolve } of fulfilled) resolve();
  }
}

function serverOptions(options: RelayOptions): SMTPServerOptions {
  const { tls = "none", certificate = "localhost", hide = [] } = options;
  return {
    secure: tls === "implicit",
    disabledCommands: [...(tls === "none" ? ["STARTTLS"] : []), ...(options.login || options.tokens ? [] : ["AUTH"])],
    allowInsecureAuth: true,
    authMethods: [...(options.authMethods ?? (options.tokens ? ["XOAUTH2"] : ["PLAIN", "LOGIN"]))],
    ...Object.fromEntries(hide.map((extension) => [`hide${extension}`, true])),
    hideENHANCEDSTATUSCODES: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    key: pem(`${certificate}.key`),
    cert: pem(`${certificate}.cert`),
    ...(options.maxBytes === undefined ? {} : { size: options.maxBytes }),
  };
}

function mailOf(session: SMTPServerSession, raw: Buffer): ReceivedMail {
  const { mailFrom, rcptTo } = session.envelope;
  const from = mailFrom === false ? "" : mailFrom.address;
  const to = rcptTo.map(({ address }) => address);
  const utf8 = session.envelope.smtpUtf8 === true;
  return { envelope: { from, to }, raw, utf8, secure: session.secure, user: session.user ?? null };
}

function faultOf(answers: Answers | undefined): Error | null {
  const answer = Array.isArray(answers) ? answers.shift() : answers;
  return answer === undefined || answer.startsWith("2") ? null : fault(answer);
}

function fault(answer: string): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}

function pem(name: string): string {
  return readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");
}
