// Posthorn with its SMTP ports open, and a way to hand in one message.
import { freePort } from "./free-port.ts";
import { startPosthorn, type Posthorn, type StartOptions } from "./posthorn.ts";
import { dialogue, plainToken } from "./smtp-dialogue.ts";
import { mayBeShared, workspace } from "./workspace.ts";

export type Ports = { readonly starttls: number; readonly tls: number };

/** On two free ports; programs on this machine may log in without TLS unless the test says otherwise. */
export async function startSubmission(options: StartOptions = {}): Promise<{ posthorn: Posthorn; ports: Ports }> {
  const config = { ...options.config, smtp: { insecureLoopback: true, ...options.config?.smtp } };
  if (mayBeShared(options)) {
    const posthorn = await workspace({ ...options, config, smtp: ["submissionPort", "submissionsPort"] });
    return { posthorn, ports: { starttls: posthorn.ports.submissionPort, tls: posthorn.ports.submissionsPort } };
  }
  const ports = { starttls: await freePort(), tls: await freePort() };
  const smtp = { submissionPort: ports.starttls, submissionsPort: ports.tls, ...config.smtp };
  return { posthorn: await startPosthorn({ ...options, config: { ...config, smtp } }), ports };
}

/** Everything before the message: greeting, login, envelope. */
export function envelope(...recipients: readonly string[]): string {
  return `${LOGGED_IN}\nC: MAIL FROM:<bounces@elsewhere.test>\nS: 250\n${recipients
    .map((recipient) => `C: RCPT TO:<${recipient}>\nS: 250`)
    .join("\n")}\nC: DATA\nS: 354`;
}

export const LOGGED_IN = "S: 220\nC: EHLO client.test\nS: 250\nC: AUTH PLAIN {token}\nS: 235";

/** Hands in a message whose lines end in LF; answers the reply to it. */
export async function submit(
  { posthorn, ports }: { posthorn: Posthorn; ports: Ports },
  message: string | Buffer,
  { to = ["bob@example.com"], key = posthorn.keys.secret }: { to?: readonly string[]; key?: string } = {},
): Promise<string> {
  const text = typeof message === "string" ? message.replace(/\r?\n/g, "\r\n") : message.toString();
  const stuffed = text.replace(/^\./gm, "..");
  const bytes = `${stuffed.endsWith("\r\n") ? stuffed : `${stuffed}\r\n`}.\r\n`;
  const words = { token: plainToken(key), message: bytes };
  const open = envelope(...to);
  const replies = await dialogue({ port: ports.starttls, words }, `${open}\nC+ {message}\nS: \nC: QUIT\nS: 221`);
  return replies.at(-2) ?? "";
}

/** The ids that a reply names. */
export function idsIn(reply: string): string[] {
  return reply.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
}
