// POST /v1/track in closed loops over many connections, each time of a contact that nobody had before.
import { HttpConnection } from "./http-connection.ts";
import type { ServerProcess } from "./server-process.ts";

export type TrackTerms = {
  readonly event: string;
  readonly connections: number;
  /** So many requests, or as many as there are in `seconds`. */
  readonly most?: number;
  readonly seconds?: number;
};

const DIGITS = 8;
let runs = 0;

/** Requests answered 200 a second. @throws Error if anything else was answered */
export async function track(server: ServerProcess, terms: TrackTerms): Promise<number> {
  const { connections, most = Infinity, seconds = 600 } = terms;
  const request = requests(server, terms.event, `t${++runs}`);
  const open = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(server.url)));
  const startedMs = performance.now();
  let asked = 0;
  const keepAsking = async (connection: HttpConnection) => {
    while (asked < most && performance.now() - startedMs < seconds * 1000) {
      const status = await connection.exchange(request(++asked));
      if (status !== 200) throw new Error(`Refused: ${status}`);
    }
  };
  await Promise.all(open.map(keepAsking));
  open.forEach((connection) => connection.close());
  return asked / ((performance.now() - startedMs) / 1000);
}

function requests({ url, key }: ServerProcess, event: string, run: string): (number: number) => Buffer {
  const blank = "0".repeat(DIGITS);
  const body = JSON.stringify({ email: `u${blank}.${run}@example.com`, event, data: { plan: "pro" } });
  const head = `POST /v1/track HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n`;
  const bytes = Buffer.from(
    `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const at = bytes.indexOf(`u${blank}`) + 1;
  return (number) => {
    bytes.write(String(number).padStart(DIGITS, "0"), at);
    return bytes;
  };
}
