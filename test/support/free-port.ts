// Ports for what is told its port beforehand.
import { createServer } from "node:net";

/**
 * Below these the system gives none by itself, neither to programs that listen on any port nor to connections that go
 * out.
 */
const FIRST = 10_000;
const PORTS = 22_000;
/** Test files run in several processes at once: each begins so many ports after the one that was started before it. */
const PORTS_A_PROCESS = 997;

let next = process.pid * PORTS_A_PROCESS;

/** One that nobody listens on, and that no other test will be given for a while. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().on("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
