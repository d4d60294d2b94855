// A name server on a free UDP port (RFC 1035 §4) that knows a few TXT records.
import { createSocket, type Socket } from "node:dgram";

/** Records of a name, each a list of strings; or the code of a refusal; or no answer at all. */
export type NameAnswer = readonly (readonly string[])[] | { readonly refusedWith: number } | "silence";

export const SERVER_FAILURE: NameAnswer = { refusedWith: 2 };
export const NO_SUCH_NAME: NameAnswer = { refusedWith: 3 };
const NO_RECORDS: NameAnswer = [];

export class NameServer implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly answers = new Map<string, NameAnswer>();
  readonly #socket: Socket = createSocket("udp4");

  async start(): Promise<this> {
    this.#socket.on("message", (query, { port, address }) => {
      const reply = this.#reply(query);
      if (reply) this.#socket.send(reply, port, address);
    });
    await new Promise<void>((resolve) => this.#socket.bind(0, "127.0.0.1", resolve));
    return this;
  }

  /** As it stands in `dns.servers`. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }

  #reply(query: Buffer): Buffer | null {
    const { name, end } = questionOf(query);
    this.asked.push(name);
    const answer = this.answers.get(name) ?? NO_RECORDS;
    if (answer === "silence") return null;
    const code = "refusedWith" in answer ? answer.refusedWith : 0;
    const records = "refusedWith" in answer ? [] : answer.map(textRecord);
    const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0]);
    return Buffer.concat([header, query.subarray(12, end), ...records]);
  }
}

export function nameServer(): Promise<NameServer> {
  return new NameServer().start();
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
