// A name server (RFC 1035 §4) on a free port, over UDP and TCP, that knows a few TXT records.
import { createSocket, type Socket } from "node:dgram";
import { createServer, type AddressInfo, type Server } from "node:net";

type Records = readonly (readonly string[])[];
/**
 * Records of a name, each a list of strings; with `long` they do not fit into a packet. Or a refusal, or no answer at
 * all.
 */
export type NameAnswer = Records | { readonly long: Records } | { readonly refusedWith: number } | "silence";

export const SERVER_FAILURE: NameAnswer = { refusedWith: 2 };
export const NO_SUCH_NAME: NameAnswer = { refusedWith: 3 };
const NO_RECORDS: NameAnswer = [];
const TRUNCATED = 0x02;

/** What a server says that knows nothing of RFC 6891 to a question that makes use of it. */
export type Bewildered = "repeats the question" | "sends a header alone";

const FORMAT_ERROR = 1;

export class NameServer implements AsyncDisposable {
  readonly asked: string[] = [];
  bewildered: Bewildered | null = null;
  readonly answers = new Map<string, NameAnswer>();
  readonly #udp: Socket = createSocket("udp4");
  readonly #tcp: Server = createServer((socket) =>
    socket.once("data", (bytes: Buffer) => {
      const reply = this.#reply(bytes.subarray(2), true) ?? Buffer.alloc(0);
      socket.end(Buffer.concat([Buffer.from([reply.length >> 8, reply.length & 0xff]), reply]));
    }),
  );

  /** False if the port that is free for one protocol is taken for the other. */
  async start(): Promise<boolean> {
    this.#udp.on("message", (query, { port, address }) => {
      const reply = this.#reply(query, false);
      if (reply) this.#udp.send(reply, port, address);
    });
    await new Promise<void>((resolve) => this.#tcp.listen(0, "127.0.0.1", resolve));
    const { port } = this.#tcp.address() as AddressInfo;
    return new Promise((resolve) => {
      this.#udp.once("error", () => this.#tcp.close(() => resolve(false)));
      this.#udp.bind(port, "127.0.0.1", () => resolve(true));
    });
  }

  /** As written in `dns.servers`. */
  get address(): string {
    return `127.0.0.1:${this.#udp.address().port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#udp.close(() => resolve()));
    await new Promise<void>((resolve) => this.#tcp.close(() => resolve()));
  }

  #reply(query: Buffer, overTcp: boolean): Buffer | null {
    const { name, end } = questionOf(query);
    this.asked.push(name);
    if (this.bewildered !== null && query.length > end) return bewilderedReply(query, end, this.bewildered);
    const answer = this.answers.get(name) ?? NO_RECORDS;
    if (answer === "silence") return null;
    const code = "refusedWith" in answer ? answer.refusedWith : 0;
    const cut = "long" in answer && !overTcp;
    const records = cut ? [] : recordsIn(answer).map(textRecord);
    const flags = [0x81 | (cut ? TRUNCATED : 0), 0x80 | code];
    const header = Buffer.from([query[0]!, query[1]!, ...flags, 0, 1, 0, records.length, 0, 0, 0, 0]);
    return Buffer.concat([header, query.subarray(12, end), ...records]);
  }
}

function bewilderedReply(query: Buffer, end: number, how: Bewildered): Buffer {
  const isBare = how === "sends a header alone";
  const header = [query[0]!, query[1]!, 0x81, 0x80 | FORMAT_ERROR, 0, isBare ? 0 : 1, 0, 0, 0, 0, 0, 0];
  return Buffer.concat([Buffer.from(header), isBare ? Buffer.alloc(0) : query.subarray(12, end)]);
}

function recordsIn(answer: Exclude<NameAnswer, "silence">): Records {
  if ("refusedWith" in answer) return [];
  return "long" in answer ? answer.long : answer;
}

export async function nameServer(): Promise<NameServer> {
  for (;;) {
    const server = new NameServer();
    if (await server.start()) return server;
  }
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at]) {
    const length = query[at]!;
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 5 };
}

/** Of the name in question, type TXT, class IN, kept for an hour. */
function textRecord(strings: readonly string[]): Buffer {
  const data = Buffer.concat(
    strings.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "latin1")])),
  );
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0x0e, 0x10, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
