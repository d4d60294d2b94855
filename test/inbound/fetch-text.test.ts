// Fetching small texts, within limits: src/http/fetch-text.ts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { fetchTextWithin } from "../../src/http/fetch-text.ts";

const fetchText = fetchTextWithin({ timeoutMs: 30_000, bytes: 1_000 });
let server: ReturnType<typeof Bun.serve>;

const endless = () => new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(400)) });
const ANSWERS: Readonly<Record<string, () => Response | Promise<Response>>> = {
  "/good": () => new Response("text"),
  "/large": () => new Response("x".repeat(1_001)),
  "/endless": () => new Response(endless()),
  "/silent": () => new Promise(() => {}),
  "/elsewhere": () => Response.redirect("/good"),
  "/missing": () => new Response("none", { status: 404 }),
};

beforeAll(() => {
  server = Bun.serve({ port: 0, fetch: ({ url }) => (ANSWERS[new URL(url).pathname] as () => Response)() });
});
afterAll(() => server.stop(true));

test("a text is answered whole", async () => {
  expect(await fetchText(`${server.url}good`)).toBe("text");
});

test.each(["large", "endless", "elsewhere", "missing"])("what is %s is refused", async (path) => {
  await expect(fetchText(`${server.url}${path}`)).rejects.toThrow();
});

test("what is silent is given up (slow)", async () => {
  await expect(fetchTextWithin({ timeoutMs: 300, bytes: 1_000 })(`${server.url}silent`)).rejects.toThrow();
});

test("nobody there is an error", async () => {
  await expect(fetchText("http://127.0.0.1:9/good")).rejects.toThrow();
});
