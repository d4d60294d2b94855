// Started in place of Firefox: starts it, and stands between it and playwright, which gives each new context a colour
// scheme by a command that Firefox does not know yet. That one is answered here; everything else passes through.
import { spawn } from "node:child_process";

const UNKNOWN = "emulation.setMediaFeaturesOverride";
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;

type Socket = Bun.ServerWebSocket<{ firefox?: WebSocket }>;

let address = "";
const firefox = spawn(process.argv[2] as string, process.argv.slice(3), { stdio: ["ignore", "ignore", "pipe"] });
firefox.on("exit", (code) => process.exit(code ?? 1));

/** Answers when both ways are open: playwright speaks first. */
function connect(request: Request, server: Bun.Server<object>): Promise<Response | undefined> {
  const { promise, resolve } = Promise.withResolvers<Response | undefined>();
  const firefox = new WebSocket(address + new URL(request.url).pathname.replace(/^\/$/, ""));
  firefox.onopen = () =>
    resolve(server.upgrade(request, { data: { firefox } }) ? undefined : new Response(null, { status: 400 }));
  return promise;
}

const between = Bun.serve<{ firefox?: WebSocket }>({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request, server) => connect(request, server as never),
  websocket: {
    maxPayloadLength: 256 * 1024 * 1024,
    open: (playwright: Socket) => {
      const { firefox } = playwright.data;
      if (!firefox) return;
      firefox.onmessage = ({ data }) => void playwright.send(data as string);
      firefox.onclose = () => playwright.close();
    },
    message: (playwright: Socket, text) => {
      const { id, method } = JSON.parse(String(text)) as { id: number; method: string };
      if (method === UNKNOWN) playwright.send(JSON.stringify({ type: "success", id, result: {} }));
      else playwright.data.firefox?.send(String(text));
    },
    close: (playwright) => playwright.data.firefox?.close(),
  },
});

const decoder = new TextDecoder();
firefox.stderr.on("data", (piece: Buffer) => {
  const text = decoder.decode(piece, { stream: true });
  address = LISTENING.exec(text)?.[1] ?? address;
  process.stderr.write(text.replace(LISTENING, `WebDriver BiDi listening on ws://127.0.0.1:${between.port}`));
});
