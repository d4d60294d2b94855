// A name server on a free port that gives every name a mail server and an address, for an hour, and counts its
// questions.
import { createSocket, type Socket } from "node:dgram";
import { decode, encode, type Answer } from "dns-packet";

const TTL_SECONDS = 3600;

export class BenchNameServer implements AsyncDisposable {
  asked = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly texts: Readonly<Record<string, string>>,
  ) {
    socket.on("message", (query, { port, address }) => socket.send(this.#reply(query), port, address));
  }

  /** `texts`: the TXT records that there are, by name. */
  static async start(texts: Readonly<Record<string, string>> = {}): Promise<BenchNameServer> {
    const socket = createSocket("udp4");
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    return new BenchNameServer(socket, texts);
  }

  /** As written in `dns.servers`. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  #reply(query: Buffer): Buffer {
    this.asked++;
    const { id, questions = [] } = decode(query);
    const answers = questions.flatMap(({ name, type }): Answer[] => {
      const text = this.texts[name];
      if (type === "TXT" && text) return [{ name, type, ttl: TTL_SECONDS, data: text.match(/.{1,255}/g) ?? [] }];
      if (type === "MX") return [{ name, type, ttl: TTL_SECONDS, data: { preference: 10, exchange: `mx.${name}` } }];
      if (type === "A") return [{ name, type, ttl: TTL_SECONDS, data: "192.0.2.1" }];
      return type === "AAAA" ? [{ name, type, ttl: TTL_SECONDS, data: "2001:db8::1" }] : [];
    });
    return encode({ type: "response", id: id ?? 0, questions, answers });
  }
}
