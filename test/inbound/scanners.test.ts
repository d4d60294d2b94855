// Spam and viruses: what rspamd and clamd are asked and answer, by the protocols that their manuals describe.
import { describe, expect, test } from "bun:test";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scan } from "../../src/mail/inbound/reading/scan.ts";
import { bring, LETTER, received, startHouse } from "../support/outside.ts";

const ENVELOPE = {
  clientAddress: "192.0.2.7",
  helo: "mx.elsewhere.test",
  sender: "ada@elsewhere.test",
  recipients: ["a@b.test", "c@d.test"],
};
const RAW = Buffer.alloc(200_000, "spam and ham ");
const NONE = { rspamdUrl: null, clamdSocket: null, timeoutMs: 30_000 };

type Asked = { path: string; headers: Headers; bytes: Buffer };

function rspamd(answer: () => Response | Promise<Response>) {
  const asked: Asked[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      asked.push({
        path: new URL(request.url).pathname,
        headers: request.headers,
        bytes: Buffer.from(await request.arrayBuffer()),
      });
      return answer();
    },
  });
  const stop = () => server.stop(true);
  return { asked, url: server.url.origin, [Symbol.asyncDispose]: stop };
}

/** Speaks as clamd does, and keeps what it was sent. */
async function clamd(place: string | number, answer: string | null) {
  const streamed: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let bytes = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const message = inStream(bytes);
      if (!message) return;
      streamed.push(message);
      if (answer !== null) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) =>
    typeof place === "number" ? server.listen(place, "127.0.0.1", resolve) : server.listen(place, resolve),
  );
  const address = server.address();
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { streamed, port: (address as AddressInfo).port, [Symbol.asyncDispose]: stop };
}

/** The chunks of `zINSTREAM`, once the empty one is there. */
function inStream(bytes: Buffer): Buffer | null {
  const command = "zINSTREAM\0";
  if (bytes.toString("latin1", 0, command.length) !== command) return null;
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

describe("rspamd", () => {
  test.each([
    ["no action", "PASS"],
    ["greylist", "GRAY"],
    ["soft reject", "GRAY"],
    ["add header", "FAIL"],
    ["rewrite subject", "FAIL"],
    ["reject", "FAIL"],
    ["a new one", "PROCESSING_FAILED"],
  ])("%s is %s", async (action, verdict) => {
    await using daemon = rspamd(() => Response.json({ action, score: 1.5, required_score: 15, symbols: {} }));
    expect(await scan(RAW, ENVELOPE, { ...NONE, rspamdUrl: daemon.url })).toEqual({
      spamVerdict: verdict as never,
      virusVerdict: "GRAY",
    });
    const [{ path, headers, bytes }] = daemon.asked as [Asked];
    expect([path, headers.get("ip"), headers.get("from"), headers.get("helo")]).toEqual([
      "/checkv2",
      "192.0.2.7",
      "ada@elsewhere.test",
      "mx.elsewhere.test",
    ]);
    expect(headers.get("rcpt")).toBe("a@b.test, c@d.test");
    expect(bytes.equals(RAW)).toBe(true);
  });

  test.each([
    ["an error", () => new Response("oops", { status: 500 })],
    ["no JSON", () => new Response("oops")],
    ["silence", () => new Promise<Response>(() => {})],
  ])("%s is PROCESSING_FAILED", async (_, answer) => {
    await using daemon = rspamd(answer);
    const { spamVerdict } = await scan(RAW, ENVELOPE, { ...NONE, rspamdUrl: daemon.url, timeoutMs: 300 });
    expect(spamVerdict).toBe("PROCESSING_FAILED");
  });

  test("of an answer without an end no more is read than it may have", async () => {
    const endless = () =>
      new ReadableStream({ start: (controller) => controller.enqueue(Buffer.alloc(2 * 1024 * 1024, " ")) });
    await using daemon = rspamd(() => new Response(endless()));
    // Longer than a test may take: what ends the reading is how much there is.
    const { spamVerdict } = await scan(RAW, ENVELOPE, { ...NONE, rspamdUrl: daemon.url, timeoutMs: 3_600_000 });
    expect(spamVerdict).toBe("PROCESSING_FAILED");
  });

  test("what a stranger says becomes no header of ours", async () => {
    await using daemon = rspamd(() => Response.json({ action: "no action" }));
    await scan(RAW, { ...ENVELOPE, helo: "x\r\nEvil: 1", sender: "ü\n@b.test" }, { ...NONE, rspamdUrl: daemon.url });
    expect(daemon.asked[0]?.headers.get("evil")).toBeNull();
    expect(daemon.asked[0]?.headers.get("helo")).toBe("x??Evil:?1");
  });
});

describe("clamd", () => {
  test.each([
    ["stream: OK\0", "PASS"],
    ["stream: Eicar-Test-Signature FOUND\0", "FAIL"],
    ["INSTREAM size limit exceeded. ERROR\0", "PROCESSING_FAILED"],
    ["UNKNOWN COMMAND\0", "PROCESSING_FAILED"],
    ["", "PROCESSING_FAILED"],
    [null, "PROCESSING_FAILED"],
  ])("%j is %s", async (answer, verdict) => {
    await using daemon = await clamd(0, answer);
    const found = await scan(RAW, ENVELOPE, {
      ...NONE,
      clamdSocket: `127.0.0.1:${daemon.port}`,
      timeoutMs: answer === null ? 300 : 3_600_000,
    });
    expect(found).toEqual({ spamVerdict: "GRAY", virusVerdict: verdict as never });
    expect(daemon.streamed[0]?.equals(RAW)).toBe(true);
  });

  test("it may be reached by a socket of the file system", async () => {
    const folder = mkdtempSync(join(tmpdir(), "clamd-"));
    await using daemon = await clamd(join(folder, "clamd.ctl"), "stream: OK\0");
    expect((await scan(RAW, ENVELOPE, { ...NONE, clamdSocket: join(folder, "clamd.ctl") })).virusVerdict).toBe("PASS");
    expect(daemon.streamed).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });

  test("one that is not there is PROCESSING_FAILED", async () => {
    expect((await scan(RAW, ENVELOPE, { ...NONE, clamdSocket: "/nowhere/clamd.ctl" })).virusVerdict).toBe(
      "PROCESSING_FAILED",
    );
  });
});

test("both are asked about a mail that comes in, and the event says what they found (slow)", async () => {
  await using spam = rspamd(() => Response.json({ action: "reject" }));
  await using virus = await clamd(0, "stream: OK\0");
  const house = await startHouse({
    config: { scanners: { rspamdUrl: spam.url, clamdSocket: `127.0.0.1:${virus.port}` } },
  });
  await using _ = house.posthorn;
  await bring(house, LETTER);
  expect(await received(house.posthorn)).toMatchObject([{ spamVerdict: "FAIL", virusVerdict: "PASS" }]);
});
