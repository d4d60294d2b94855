// The verdicts of scanners, where they are configured: spam by rspamd (over HTTP), viruses by clamd (INSTREAM over its
// socket).
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import type { ScanVerdict, ScanVerdicts } from "../../emails/receive.ts";
import { responseText } from "../../../http/fetch-text.ts";
import type { InboundEnvelope } from "./reading.ts";

export type Scanners = {
  readonly rspamdUrl: string | null;
  /** A path, or host:port. */
  readonly clamdSocket: string | null;
  readonly timeoutMs: number;
};

/** GRAY without a scanner, PROCESSING_FAILED if it does not answer in time. Never throws. */
export async function scan(
  raw: Buffer,
  envelope: InboundEnvelope,
  { rspamdUrl, clamdSocket, timeoutMs }: Scanners,
): Promise<Pick<ScanVerdicts, "spamVerdict" | "virusVerdict">> {
  const signal = AbortSignal.timeout(timeoutMs);
  const failed = (): ScanVerdict => "PROCESSING_FAILED";
  const notConfigured: ScanVerdict = "GRAY";
  const [spamVerdict, virusVerdict] = await Promise.all([
    rspamdUrl === null ? notConfigured : askRspamd(rspamdUrl, raw, envelope, signal).catch(failed),
    clamdSocket === null ? notConfigured : askClamd(clamdSocket, raw, signal).catch(failed),
  ]);
  return { spamVerdict, virusVerdict };
}

const VERDICTS: Readonly<Record<string, ScanVerdict>> = {
  "no action": "PASS",
  greylist: "GRAY",
  "soft reject": "GRAY",
  "add header": "FAIL",
  "rewrite subject": "FAIL",
  quarantine: "FAIL",
  discard: "FAIL",
  reject: "FAIL",
};

const MAX_RSPAMD_ANSWER_BYTES = 1024 * 1024;

/** `url` is the base address of rspamd. @throws Error if it does not answer, or with an unknown action */
async function askRspamd(
  url: string,
  raw: Buffer,
  envelope: InboundEnvelope,
  signal: AbortSignal,
): Promise<ScanVerdict> {
  const headers = new Headers({
    ...(envelope.clientAddress === "" ? {} : { ip: envelope.clientAddress }),
    from: inHeader(envelope.sender),
    helo: inHeader(envelope.helo),
  });
  for (const recipient of envelope.recipients) headers.append("rcpt", inHeader(recipient));
  const response = await fetch(`${url}/checkv2`, { method: "POST", headers, body: new Uint8Array(raw), signal });
  const answer = await responseText(response, MAX_RSPAMD_ANSWER_BYTES);
  const verdict = response.ok ? VERDICTS[(JSON.parse(answer) as { action?: string }).action ?? ""] : undefined;
  if (!verdict) throw new Error(`rspamd answered ${response.status} without a known action`);
  return verdict;
}

/** The text of an SMTP client in a form that an HTTP header can hold. */
function inHeader(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, "?");
}

const CHUNK_BYTES = 64 * 1024;
const MAX_CLAMD_ANSWER_BYTES = 4 * 1024;

/**
 * `place`: the path of its socket, or host:port. @throws Error if clamd does not answer, or cannot scan this message
 */
async function askClamd(place: string, raw: Buffer, signal: AbortSignal): Promise<ScanVerdict> {
  const socket = connected(place);
  const cut = () => void socket.destroy(new Error("clamd did not answer in time"));
  signal.addEventListener("abort", cut);
  try {
    const answered = answerOf(socket);
    // A fault while writing shows in the answer, or in the lack of one.
    await Promise.race([stream(socket, raw), answered]).catch(() => undefined);
    return verdictOf(await answered);
  } finally {
    signal.removeEventListener("abort", cut);
    socket.destroy();
  }
}

function connected(place: string): Socket {
  const [, host, port] = /^\[?([^/]+?)\]?:(\d+)$/.exec(place) ?? [];
  return host === undefined ? createConnection({ path: place }) : createConnection({ host, port: Number(port) });
}

async function stream(socket: Socket, raw: Buffer): Promise<void> {
  await write(socket, Buffer.from("zINSTREAM\0"));
  for (let at = 0; at < raw.length; at += CHUNK_BYTES) {
    const chunk = raw.subarray(at, at + CHUNK_BYTES);
    await write(socket, Buffer.concat([lengthOf(chunk), chunk]));
  }
  await write(socket, Buffer.alloc(4));
}

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (!socket.write(bytes)) await once(socket, "drain");
}

function lengthOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    socket.on("data", (bytes) => {
      answer += bytes.toString("latin1");
      if (answer.includes("\0") || answer.length > MAX_CLAMD_ANSWER_BYTES) resolve(answer);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

function verdictOf(answer: string): ScanVerdict {
  const text = answer.split("\0")[0] ?? "";
  if (/^stream: OK$/.test(text)) return "PASS";
  if (/^stream: .* FOUND$/.test(text)) return "FAIL";
  throw new Error("clamd did not scan the message");
}
