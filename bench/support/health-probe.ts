// How long the server's event loop makes others wait, seen from outside: GET /health on a connection of its own.
import { HttpConnection } from "./http-connection.ts";
import { latencies, type Latencies } from "./statistics.ts";

const EVERY_MS = 5;

/** Asks all five milliseconds for as long as `work` takes; one at a time, so a long stall counts once, whole. */
export async function probed<Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; delayMs: Latencies }> {
  const connection = await HttpConnection.open(url);
  const request = Buffer.from(`GET /health HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`);
  const tookMs: number[] = [];
  let over = false;
  const asking = (async () => {
    while (!over) {
      const askedMs = performance.now();
      await connection.exchange(request);
      tookMs.push(performance.now() - askedMs);
      await Bun.sleep(EVERY_MS);
    }
  })();
  try {
    const result = await work();
    return { result, delayMs: latencies(tookMs) };
  } finally {
    over = true;
    await asking.catch(() => undefined);
    connection.close();
  }
}
