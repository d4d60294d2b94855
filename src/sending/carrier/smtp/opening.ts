// Opens one connection to the relay: TCP, TLS as configured, login. A fault here is never a mail's.
import SMTPConnection, { type SMTPError } from "nodemailer/lib/smtp-connection";
import XOAuth2 from "nodemailer/lib/xoauth2";
import { NO_TOKENS, type AccessTokens, type TokenAnswer } from "../../../ground/way-tokens/way-tokens.ts";
import { oneLine } from "../../../mail/emails/refusals/words.ts";
import type { HopRefusal } from "../transport/transport.ts";
import { Dialogue } from "./dialogue.ts";

export type RelayAddress = {
  readonly host: string;
  readonly port: number;
  /** "starttls" insists: nothing is sent to a relay that does not offer it. */
  readonly tls: "starttls" | "implicit" | "none";
  readonly verifyCertificate: boolean;
  /** PEM; trusted instead of the public authorities. */
  readonly ca: string | null;
  readonly user: string | null;
  readonly password: string | null;
  /** Whether an access token takes the place of the password. */
  readonly auth?: "password" | "oauth2";
  readonly tokens?: AccessTokens;
  /** The longest wait for any one answer. */
  readonly timeoutMs: number;
  /** The same until the connection takes mails; `timeoutMs` unless given. */
  readonly openingTimeoutMs?: number;
  /** Our name in EHLO. */
  readonly heloName: string;
};

/** A connection that is ready for mails. */
export type RelayConnection = {
  readonly dialogue: Dialogue;
  readonly extensions: ReadonlySet<string>;
  /** The size limit of a message; 0 = the relay gives none. */
  readonly mostBytes: number;
};

/** A relay that answers byte by byte never exceeds a single timeout; this bounds the whole opening. */
const OPENING_TIMEOUTS = 2;

type OpenedConnection = RelayConnection | HopRefusal;

/**
 * A connection that is ready for mails, or the reason why it failed. Never rejects. An access token that the relay
 * refuses is renewed once, for another connection.
 */
export async function openConnection(address: RelayAddress): Promise<OpenedConnection> {
  const { auth, user, tokens = NO_TOKENS, password } = address;
  if (user === null || auth !== "oauth2")
    return (await openWith(address, user === null ? null : { user, pass: password ?? "" })).opened;
  const first = await tokens(null);
  if ("fault" in first) return withoutToken(first);
  const { opened, isLoginRefused } = await openWith(address, loginBy(user, first.token));
  if (!isLoginRefused) return opened;
  const other = await tokens(first.token);
  if ("fault" in other) return withoutToken(other);
  return other.token === first.token ? opened : (await openWith(address, loginBy(user, other.token))).opened;
}

const TOKEN_WAIT_MS = 2_000;

function withoutToken({ fault, isLocal }: Extract<TokenAnswer, { readonly fault: string }>): HopRefusal {
  return { kind: "unreachable", reply: oneLine(fault), ...(isLocal ? { isLocal, waitMs: TOKEN_WAIT_MS } : {}) };
}

/** Where a relay describes the fault in JSON (334), the library asks again, and gets the refusal itself. */
function loginBy(user: string, token: string): SMTPConnection.AuthenticationType {
  const oauth2 = new XOAuth2({ user, accessToken: token });
  oauth2.getToken = (_isRetry, done) => done(null, token);
  return { user, oauth2 };
}

/** How the fault begins if a relay answers, and only the login is wrong. */
export const LOGIN_REFUSED = "The relay did not accept our login";

type OpeningResult = { readonly opened: OpenedConnection; readonly isLoginRefused?: true };

function openWith(address: RelayAddress, login: SMTPConnection.AuthenticationType | null): Promise<OpeningResult> {
  const connection = new SMTPConnection(connectionOptions(address));
  return new Promise((resolve) => {
    const fail = (error: SMTPError) => {
      clearTimeout(watchdog);
      connection.close();
      const opened: HopRefusal = { kind: "unreachable", reply: oneLine(openingFault(error)) };
      resolve(error.code === "EAUTH" ? { opened, isLoginRefused: true } : { opened });
    };
    const watchdog = setTimeout(
      () => fail(new Error("The relay took too long to open a session")),
      OPENING_TIMEOUTS * openingTimeoutOf(address),
    );
    const ready = () => {
      clearTimeout(watchdog);
      resolve({ opened: relayConnection(connection) });
      connection.off("error", fail);
    };
    // Until the dialogue listens: an error without a listener would end the process.
    connection.on("error", fail);
    connection.connect((error) => {
      if (error) fail(error);
      else if (login === null) ready();
      else connection.login(login, (refused) => (refused ? fail(refused) : ready()));
    });
  });
}

/** The library does not publish the extensions that the relay offers. */
function relayConnection(connection: SMTPConnection): RelayConnection {
  const [extensions, mostBytes] = ["_supportedExtensions", "_maxAllowedSize"].map((name) =>
    Reflect.get(connection, name),
  );
  return {
    dialogue: new Dialogue(connection),
    extensions: new Set(extensions as readonly string[]),
    mostBytes: Number(mostBytes),
  };
}

function openingTimeoutOf({ timeoutMs, openingTimeoutMs = timeoutMs }: RelayAddress): number {
  return Math.min(timeoutMs, openingTimeoutMs);
}

export function connectionOptions(address: RelayAddress): SMTPConnection.Options {
  const { host, port, heloName } = address;
  const timeoutMs = openingTimeoutOf(address);
  const tls = { rejectUnauthorized: address.verifyCertificate, ...(address.ca === null ? {} : { ca: address.ca }) };
  return {
    host,
    port,
    name: heloName,
    tls,
    secure: address.tls === "implicit",
    requireTLS: address.tls === "starttls",
    ignoreTLS: address.tls === "none",
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
}

/** Why a relay cannot be used, in words for its operator. */
export function openingFault(error: SMTPError): string {
  if (error.command === "STARTTLS" && error.response) return `The relay does not offer STARTTLS: ${error.response}`;
  if (error.code === "EAUTH") return `${LOGIN_REFUSED}: ${error.response ?? error.message}`;
  if (error.code === "ETIMEDOUT") return `The relay took too long to answer (${error.message})`;
  return error.response ?? tlsFault(error.message) ?? error.message;
}

/** Errors of the TLS library (BoringSSL, or Node for host names), in words that name the relay. */
const TLS_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/certificate has expired/i, "The relay's certificate has expired"],
  [/certificate is not yet valid/i, "The relay's certificate is not valid yet"],
  [/altnames/i, "The relay's certificate is for another name"],
  [
    /self.signed|unable to (?:get|verify)|unknown (?:ca|authority)/i,
    "No authority that is trusted here has signed the relay's certificate",
  ],
  [/SSL routines|OPENSSL_internal|before secure TLS/i, "The TLS handshake with the relay failed"],
];

function tlsFault(message: string): string | null {
  const words = TLS_FAULTS.find(([sign]) => sign.test(message))?.[1];
  return words === undefined ? null : `${words} (${message})`;
}
