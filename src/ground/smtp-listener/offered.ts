// The offer of a port: its handlers, its options, and the commands and parameters that clients may use.
import { isIP } from "node:net";
import type { SMTPServerAddress, SMTPServerAuthentication, SMTPServerOptions, SMTPServerSession } from "smtp-server";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { MessageMemory } from "./message-memory.ts";
import type { Certificate } from "../../base/certificates/self-signed.ts";
import { SmtpReply } from "./smtp-reply.ts";

export type ServerSession = SMTPServerSession;
export type Address = SMTPServerAddress;

/** Each handler refuses by throwing SmtpReply; any other error is answered as a temporary fault, and logged. */
export type Handlers = {
  /** Null = the port has no login. The answer is kept as `session.user`. */
  readonly logIn: ((login: SMTPServerAuthentication, session: ServerSession) => Promise<unknown>) | null;
  readonly sender: (address: Address, session: ServerSession) => Promise<void>;
  readonly recipient: (address: Address, session: ServerSession) => Promise<void>;
  /** Whether NULs in the message are taken out; else they are refused. */
  readonly takesNulsOut?: (session: ServerSession) => boolean;
  /**
   * The message as it comes in (`incoming.ts`); its memory is reused after the answer. Answers the lines of the 250.
   */
  readonly message: (slices: AsyncIterable<Buffer>, session: ServerSession) => Promise<string>;
};

export type ListenerOptions = {
  readonly host: string;
  readonly port: number;
  /** Our name in SMTP. */
  readonly hostName: string;
  /** TLS from the first byte on; otherwise STARTTLS is offered. */
  readonly implicitTls: boolean;
  readonly certificate: Certificate;
  readonly maxBytes: number;
  /** Shared by ports that take messages for the same handlers. */
  readonly memory: MessageMemory;
  readonly maxRecipients: number;
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Whether addresses with non-ASCII letters before the @ can be carried on. */
  readonly utf8: () => boolean;
  /** Whether a client on this machine may log in without TLS. */
  readonly insecureLoopback: boolean;
  readonly clock: Clock;
  readonly log: Log;
};

/** A socket without traffic is closed after this time; SessionLimits handles slow traffic. */
const SILENCE_MS = 55_000;

export function serverOptions(options: ListenerOptions, handlers: Handlers): SMTPServerOptions {
  return {
    // RFC 5321 §4.1.3.
    name: isIP(options.hostName) ? `[${options.hostName}]` : options.hostName,
    banner: "Posthorn",
    secure: options.implicitTls,
    ...options.certificate,
    minVersion: "TLSv1.2",
    authMethods: ["PLAIN", "LOGIN"],
    // Each session decides whether it may log in without TLS.
    allowInsecureAuth: true,
    disabledCommands: [...(handlers.logIn ? [] : ["AUTH"]), ...NO_COMMANDS],
    size: options.maxBytes,
    rejectOversized: true,
    maxRecipients: options.maxRecipients,
    maxClients: options.connections,
    hideENHANCEDSTATUSCODES: false,
    // On ports with a login the sender does not count, and the handlers check recipients.
    lenientAddressParsing: handlers.logIn !== null,
    disableReverseLookup: true,
    socketTimeout: SILENCE_MS,
    // The process limits this wait.
    closeTimeout: 2 ** 31 - 1,
    logger: false,
  };
}

/** Jokes of the library, and commands for proxies alone. */
const NO_COMMANDS = ["WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD", "HELP"];

export function forbidLogIn(session: ServerSession): void {
  Object.assign(session, { disabledCommands: ["AUTH", ...NO_COMMANDS] });
}

export function permitLogIn(session: ServerSession): void {
  Reflect.deleteProperty(session, "disabledCommands");
}

export function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

/** RFC 1870, 6152, 6531. */
export const OF_MAIL: readonly string[] = ["SIZE", "BODY", "SMTPUTF8"];
/** With AUTH (RFC 4954), whose value is not used. */
export const OF_MAIL_WITH_LOG_IN: readonly string[] = [...OF_MAIL, "AUTH"];

/**
 * Refuses a parameter that is not offered, as accepting it would be a false promise (RFC 5321 §4.1.1.11). @throws
 * SmtpReply
 */
export function mustBeOffered({ args }: SMTPServerAddress, offered: readonly string[]): void {
  const unknown = Object.keys(args || {}).find((name) => !offered.includes(name));
  if (unknown !== undefined)
    throw new SmtpReply(555, "5.5.4", `The parameter ${unknown.slice(0, 40)} is not supported`);
}
