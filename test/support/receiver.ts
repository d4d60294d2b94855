// A server that webhooks are sent to.
export type Received = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
};

/** An HTTP server that keeps what it is sent and answers as it is told. */
export class Receiver {
  readonly received: Received[] = [];
  answer: (request: Received, count: number) => Response | Promise<Response> = () => new Response("thanks");
  readonly #server;

  constructor(tls?: { cert: string; key: string }) {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      ...(tls ? { tls } : {}),
      fetch: async (request) => {
        const { method, url, headers } = request;
        const received = { method, url: new URL(url), headers, body: await request.text() };
        this.received.push(received);
        return this.answer(received, this.received.length);
      },
    });
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  stop(): void {
    void this.#server.stop(true);
  }
}
