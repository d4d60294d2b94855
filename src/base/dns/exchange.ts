// One question to one name server: over UDP, and over TCP when the reply does not fit into a packet.
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import {
  encodeQuestion,
  FORMAT_ERROR,
  readReply,
  type DnsQuestion,
  type RecordType,
  type DnsReply,
} from "./message.ts";

export type NameServer = { readonly host: string; readonly port: number };

/** Takes an address, with a port if that is not 53: `192.0.2.1:5353`, `[2001:db8::1]:5353`. */
export function serverAt(address: string): NameServer {
  const [, host = address, port = "53"] = /^\[(.+)\]:(\d+)$/.exec(address) ?? /^([\d.]+):(\d+)$/.exec(address) ?? [];
  return { host, port: Number(port) };
}

/** @throws if the server gives no reply before `signal` */
export async function exchange(
  server: NameServer,
  name: string,
  type: RecordType,
  signal: AbortSignal,
): Promise<DnsReply> {
  const reply = await ask(server, { id: randomInt(0x10000), name, type }, signal);
  if (reply.code !== FORMAT_ERROR) return reply;
  return ask(server, { id: randomInt(0x10000), name, type, isPlain: true }, signal);
}

async function ask(server: NameServer, asked: DnsQuestion, signal: AbortSignal): Promise<DnsReply> {
  const reply = await overUdp(server, asked, signal);
  return reply.truncated ? overTcp(server, asked, signal) : reply;
}

function overUdp({ host, port }: NameServer, asked: DnsQuestion, signal: AbortSignal): Promise<DnsReply> {
  const { promise, resolve, reject } = Promise.withResolvers<DnsReply>();
  // Encoding may throw, and must not leave a socket open.
  const question = encodeQuestion(asked);
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  // A connected socket takes packets from that server only, and reports immediately if no server listens there.
  socket.on("connect", () => socket.send(question));
  socket.on("error", reject);
  socket.on("message", (bytes) => {
    const reply = readReply(bytes, asked);
    if (reply) resolve(reply);
  });
  socket.connect(port, host);
  return untilAborted(promise, reject, signal).finally(() => socket.close());
}

/** The question with its length in front (RFC 1035 §4.2.2). */
function overTcp({ host, port }: NameServer, asked: DnsQuestion, signal: AbortSignal): Promise<DnsReply> {
  const { promise, resolve, reject } = Promise.withResolvers<DnsReply>();
  const question = encodeQuestion(asked);
  const socket = connect(port, host);
  let received = Buffer.alloc(0);
  socket.on("connect", () =>
    socket.write(Buffer.concat([Buffer.from([question.length >> 8, question.length & 0xff]), question])),
  );
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("the connection was closed")));
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk as Buffer]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    const reply = readReply(received.subarray(2), asked);
    if (reply) resolve(reply);
    else reject(new Error("the reply cannot be read"));
  });
  return untilAborted(promise, reject, signal).finally(() => socket.destroy());
}

function untilAborted(
  promise: Promise<DnsReply>,
  reject: (reason: unknown) => void,
  signal: AbortSignal,
): Promise<DnsReply> {
  if (signal.aborted) reject(signal.reason);
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop);
  return promise.finally(() => signal.removeEventListener("abort", stop));
}
