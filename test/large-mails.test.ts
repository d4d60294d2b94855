// One legal request with a large attachment to many people, and a server that has little memory.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ServerProcess } from "./crash/server-process.ts";
import { Sink } from "./crash/sink.ts";
import { freshDirectory } from "./support/database.ts";
import { seeded } from "./support/seeded.ts";

const MB = 1024 * 1024;
/** As many as are handed over at once, and more than fit into the memory. */
const RECIPIENTS = 16;
const ATTACHMENT_BYTES = 10 * MB - 1024;
const MOST_MEMORY_MB = 400;
/** Without a further mail for so long, none is on its way. */
const STALLED_MS = 60_000;

let directory: ReturnType<typeof freshDirectory>;
let sink: Sink;
beforeAll(async () => {
  directory = freshDirectory();
  sink = await Sink.start(seeded(1));
});
afterAll(async () => {
  await sink[Symbol.asyncDispose]();
  directory.remove();
});

// The peak is what Linux counts as resident (VmHWM): it needs no rights, and the runtime reserves too many addresses
// for ulimit -v.
test.skipIf(process.platform !== "linux")(
  `${RECIPIENTS} mails with 10 MB each leave from ${MOST_MEMORY_MB} MB of memory`,
  async () => {
    await using server = await ServerProcess.start({ dataDir: directory.path, relayPort: sink.port, run: 0 });
    const answer = await fetch(`${server.url}/v1/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.secretKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        to: Array.from({ length: RECIPIENTS }, (_, n) => `reader${n}@example.com`),
        from: "hello@example.test",
        subject: "Large",
        body: "<p>See the file.</p>",
        attachments: [{ filename: "file.bin", content: Buffer.alloc(ATTACHMENT_BYTES, "x").toString("base64") }],
      }),
    });
    expect(answer.status).toBe(200);
    let arrived = -1;
    while (arrived < sink.arrivals.length && sink.arrivals.length < RECIPIENTS) {
      arrived = sink.arrivals.length;
      const next = new Promise((resolve) => (sink.onArrival = resolve));
      await Promise.race([next, server.ended(), Bun.sleep(STALLED_MS)]);
    }
    expect(sink.arrivals).toHaveLength(RECIPIENTS);
    expect(server.peakMemoryMb).toBeLessThan(MOST_MEMORY_MB);
  },
  1_800_000,
);
