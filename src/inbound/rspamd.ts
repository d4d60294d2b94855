// Asking rspamd whether a message is spam, over HTTP (https://docs.rspamd.com/developers/protocol).
import type { Verdict } from "../emails/receive.ts";
import { textOf } from "./fetch-text.ts";
import type { Envelope } from "./reading.ts";

const VERDICTS: Readonly<Record<string, Verdict>> = {
  "no action": "PASS",
  greylist: "GRAY",
  "soft reject": "GRAY",
  "add header": "FAIL",
  "rewrite subject": "FAIL",
  quarantine: "FAIL",
  discard: "FAIL",
  reject: "FAIL",
};

const MAX_ANSWER_BYTES = 1024 * 1024;

/** `url` is the base address of rspamd. @throws Error if it does not answer, or with an unknown action */
export async function askRspamd(url: string, raw: Buffer, envelope: Envelope, signal: AbortSignal): Promise<Verdict> {
  const headers = new Headers({
    ip: envelope.clientAddress,
    from: inHeader(envelope.sender),
    helo: inHeader(envelope.helo),
  });
  for (const recipient of envelope.recipients) headers.append("rcpt", inHeader(recipient));
  const response = await fetch(`${url}/checkv2`, { method: "POST", headers, body: new Uint8Array(raw), signal });
  const answer = await textOf(response, MAX_ANSWER_BYTES);
  const verdict = response.ok ? VERDICTS[(JSON.parse(answer) as { action?: string }).action ?? ""] : undefined;
  if (!verdict) throw new Error(`rspamd answered ${response.status} without an action that is known`);
  return verdict;
}

/** The text of an SMTP client as an HTTP header can hold it. */
function inHeader(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, "?");
}
