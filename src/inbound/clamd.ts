// Asking clamd whether a message carries a virus: INSTREAM over its socket (clamd(8)).
import { createConnection, type Socket } from "node:net";
import { once } from "node:events";
import type { Verdict } from "../emails/receive.ts";

const CHUNK_BYTES = 64 * 1024;
const MAX_ANSWER_BYTES = 4 * 1024;

/** `place`: the path of its socket, or host:port. @throws Error if clamd does not answer, or cannot scan this message */
export async function askClamd(place: string, raw: Buffer, signal: AbortSignal): Promise<Verdict> {
  const socket = connected(place);
  const cut = () => void socket.destroy(new Error("clamd did not answer in time"));
  signal.addEventListener("abort", cut);
  try {
    const answered = answerOf(socket);
    // A fault while writing shows in the answer, or in there being none.
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
      if (answer.includes("\0") || answer.length > MAX_ANSWER_BYTES) resolve(answer);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

function verdictOf(answer: string): Verdict {
  const text = answer.split("\0")[0] ?? "";
  if (/^stream: OK$/.test(text)) return "PASS";
  if (/^stream: .* FOUND$/.test(text)) return "FAIL";
  throw new Error("clamd did not scan the message");
}
