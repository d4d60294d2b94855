// What systemd hears of a server that it starts: sd_notify(3), over a socket of the file system.
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Serving } from "./support/cli.ts";
import { freshDirectory } from "./support/database.ts";

const directory = freshDirectory();
afterAll(directory.remove);

const LISTENER = `
import array, os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("listening", flush=True)
while True:
  message, ancillary, _, _ = s.recvmsg(4096, 4096)
  # The program waits until its end of the barrier is closed.
  for _, kind, data in ancillary:
    for descriptor in array.array("i", data): os.close(descriptor)
  if message and message != b"BARRIER=1": print(message.decode().strip(), flush=True)
`;
const hasSystemd = Bun.which("systemd-notify") !== null && Bun.which("python3") !== null;

test.skipIf(!hasSystemd)("A server says that it is ready, that it lives, and that it stops (slow)", async () => {
  const socket = join(directory.path, "notify");
  const listener = Bun.spawn(["python3", "-c", LISTENER, socket], { stdout: "pipe" });
  const heard = linesOf(listener.stdout);
  try {
    expect((await heard.next()).value).toBe("listening");
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: "20000" };
    const server = new Serving(["--data", directory.path], env);
    expect((await heard.next()).value).toBe("READY=1");
    expect((await heard.next()).value).toBe("WATCHDOG=1");
    expect(await server.stop()).toBe(0);
    let last = (await heard.next()).value;
    while (last === "WATCHDOG=1") last = (await heard.next()).value;
    expect(last).toBe("STOPPING=1");
  } finally {
    listener.kill();
  }
});

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, string> {
  let text = "";
  for await (const piece of stream) {
    text += new TextDecoder().decode(piece);
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
  return text;
}
