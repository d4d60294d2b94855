// Submits messages to a server by SMTP, with its key as the password.
import SMTPConnection, { type SMTPError } from "nodemailer/lib/smtp-connection";
import { isLoopback } from "../../../ground/smtp-listener/offered.ts";
import { askRemote, AwayError, RefusedError, type Remote } from "../remote-call.ts";
import type { SendmailMessage } from "./message.ts";

const WAIT_MS = 60_000;
/** The server's limit for one message. By the Message-ID it recognizes the parts as the same message. */
const MOST_RECIPIENTS = 50;
const NOT_NOW = /^4/;
/** Not sent at all: larger than the limit that the server announced. */
const TOO_LARGE = "EMESSAGE";
const FORBIDDEN = 401;
const REFUSED = 422;

type SubmissionServer = {
  readonly host: string;
  readonly ports: readonly { readonly port: number; readonly tls: "STARTTLS" | "TLS" }[];
  readonly user: string;
  readonly isLocal: boolean;
  readonly isSelfSigned: boolean;
};

export class Submission {
  private constructor(readonly connection: SMTPConnection) {}

  /** @throws AwayError, RefusedError */
  static async open(remote: Remote): Promise<Submission> {
    const place = await askRemote<SubmissionServer>(remote, "GET /submission");
    const called = new URL(remote.url).hostname.replace(/^\[|\]$/g, "");
    const isHere = called === "localhost" || isLoopback(called);
    const [port] = place.ports;
    const fault = faultOf(place, isHere);
    if (!port || fault !== null) throw new RefusedError(`${remote.url} ${fault}`, REFUSED);
    const connection = new SMTPConnection({
      host: isHere ? called : place.host,
      port: port.port,
      secure: port.tls === "TLS",
      requireTLS: true,
      // On the way to this same machine, a certificate for the public name proves nothing.
      tls: { rejectUnauthorized: !isHere },
      connectionTimeout: WAIT_MS,
      greetingTimeout: WAIT_MS,
      socketTimeout: WAIT_MS,
    });
    // After an answer, the end of the connection does not matter.
    connection.on("error", () => undefined);
    try {
      await commandAnswer(connection, (done) => connection.connect(done));
      await commandAnswer(
        connection,
        (done) => connection.login({ user: place.user, pass: remote.key }, done),
        FORBIDDEN,
      );
      return new Submission(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Answers the recipients that were refused, each with the reason. @throws AwayError, RefusedError */
  async send({ to, message }: SendmailMessage): Promise<readonly string[]> {
    const refused: string[] = [];
    for (let from = 0; from < to.length; from += MOST_RECIPIENTS)
      refused.push(...(await this.#sendTo(to.slice(from, from + MOST_RECIPIENTS), message)));
    return refused;
  }

  async #sendTo(to: readonly string[], message: Buffer): Promise<readonly string[]> {
    const { connection } = this;
    const answer = await commandAnswer<SMTPConnection.SentMessageInfo>(connection, (done) =>
      // With the size, the server refuses a message that is too large before it is written.
      connection.send({ from: false, to: [...to], size: message.length }, message, done),
    ).catch(async (error) => {
      // After a refusal of every recipient, the server still waits for others of this message.
      if (error instanceof RefusedError) await commandAnswer(connection, (done) => connection.reset(done));
      throw error;
    });
    return (answer?.rejectedErrors ?? []).map((error) => oneLine(error));
  }

  [Symbol.dispose](): void {
    this.connection.quit();
  }
}

/** A fault that no later attempt would change. */
function faultOf({ ports, isLocal, isSelfSigned }: SubmissionServer, isHere: boolean): string | null {
  if (ports.length === 0) return "takes no email by SMTP: its submission ports are off.";
  if (isHere) return null;
  if (isLocal) return "takes email by SMTP from its own machine only: set smtp.host there.";
  return isSelfSigned ? "has a self-signed certificate for SMTP: set smtp.cert_file and smtp.key_file there." : null;
}

type SubmissionCallback<Answer> = (error?: SMTPError | null, answer?: Answer) => void;

/** The answer to one command. @throws AwayError, RefusedError */
function commandAnswer<Answer>(
  connection: SMTPConnection,
  say: (done: SubmissionCallback<Answer>) => void,
  status = REFUSED,
): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (error: SMTPError) => {
      const code = error.responseCode;
      const isRefusal = code === undefined ? error.code === TOO_LARGE : !NOT_NOW.test(String(code));
      reject(isRefusal ? new RefusedError(oneLine(error), status) : new AwayError(oneLine(error)));
    };
    connection.once("error", fail);
    say((error, answer) => {
      connection.off("error", fail);
      if (error) fail(error);
      else resolve(answer);
    });
  });
}

function oneLine({ response, message }: SMTPError): string {
  return (response ?? message).replace(/\s*\n\s*/g, " ");
}
