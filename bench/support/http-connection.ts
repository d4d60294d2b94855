// One keep-alive connection that sends bytes of HTTP/1.1 and reads the answer's status: a client that costs next to
// nothing.
import type { Socket } from "bun";

const NONE = Buffer.alloc(0);

export class HttpConnection {
  #socket: Socket | null = null;
  #received: Buffer = NONE;
  #resolve: ((status: number) => void) | null = null;
  #reject: ((reason: Error) => void) | null = null;

  static async open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    const connection = new HttpConnection();
    connection.#socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, chunk) => connection.#take(chunk),
        close: () => connection.#reject?.(new Error("The server closed the connection")),
      },
    });
    return connection;
  }

  /** Sends one request and answers the status of its reply; one at a time. */
  exchange(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      if (this.#socket?.write(request) !== request.length) reject(new Error("The request did not fit into the socket"));
    });
  }

  close(): void {
    this.#reject = null;
    this.#socket?.end();
  }

  #take(chunk: Buffer): void {
    const received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = received.indexOf("\r\n\r\n");
    const whole = headEnd < 0 ? Infinity : headEnd + 4 + bodyLength(received, headEnd);
    if (received.length < whole) {
      this.#received = received;
      return;
    }
    this.#received = NONE;
    this.#resolve?.(Number(received.toString("latin1", 9, 12)));
  }
}

function bodyLength(received: Buffer, headEnd: number): number {
  return Number(/\r\ncontent-length: *(\d+)/i.exec(received.toString("latin1", 0, headEnd))?.[1] ?? 0);
}
