// How much of the messages that come in is in memory at once.
import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import type { SMTPServerDataStream } from "smtp-server";
import { complete, incoming } from "../../src/ground/smtp-listener/incoming.ts";
import { MessageMemory } from "../../src/ground/smtp-listener/message-memory.ts";

const KB = 1024;
const LARGEST = 1024 * KB;

function stream(bytes = Buffer.alloc(0)): SMTPServerDataStream {
  const made = new PassThrough() as unknown as SMTPServerDataStream;
  if (bytes.length > 0) made.end(bytes);
  return made;
}

const text = (bytes: number) => Buffer.alloc(bytes, `${"x".repeat(62)}\r\n`);

test("as many messages as there are places grow large; the next one waits until one of them has been dealt with", async () => {
  const memory = new MessageMemory([{ bytes: LARGEST + 1, places: 2 }]);
  const buffers = [memory.newBuffer(), memory.newBuffer(), memory.newBuffer(), memory.newBuffer()];
  const sizes = [100 * KB, 100 * KB, 100 * KB, 10 * KB];
  const done: number[] = [];
  const taken = buffers.map(async (buffer, at) => {
    const bytes = await complete(incoming(stream(text(sizes[at] as number)), buffer, LARGEST));
    expect(bytes.equals(text(sizes[at] as number))).toBe(true);
    done.push(at);
  });
  await Promise.all([taken[0], taken[1], taken[3]]);
  expect(done).not.toContain(2);
  buffers[0]?.release();
  expect(buffers[0]?.memory.length).toBe(0);
  await taken[2];
  expect(done).toContain(2);
});

test("who leaves while it waits, or before, gives its place to the next", async () => {
  const memory = new MessageMemory([
    { bytes: 64 * KB, places: 1 },
    { bytes: LARGEST + 1, places: 1 },
  ]);
  const [first, gone, last] = [memory.newBuffer(), memory.newBuffer(), memory.newBuffer()];
  await complete(incoming(stream(text(100 * KB)), first, LARGEST));
  const broken = stream();
  broken.write(text(20 * KB));
  const waiting = complete(incoming(broken, gone, LARGEST));
  const lastTaken = complete(incoming(stream(text(200 * KB)), last, LARGEST));
  broken.destroy(Object.assign(new Error("gone"), { code: "ECONNECTION" }));
  await expect(waiting).rejects.toThrow();
  gone.release();
  first.release();
  expect((await lastTaken).length).toBe(200 * KB);
});

test.each([0, 1, 64 * KB - 2, 64 * KB, 64 * KB + 2, 128 * KB, 200 * KB])(
  "%d bytes come in slices of the last step, and a shorter one at the end",
  async (bytes) => {
    const slices: Buffer[] = [];
    const sent = Buffer.concat([text(bytes).subarray(0, Math.max(0, bytes - 2)), Buffer.from("\r\n")]);
    const buffer = new MessageMemory([{ bytes: 64 * KB, places: 1 }]).newBuffer();
    for await (const slice of incoming(stream(sent), buffer, LARGEST)) slices.push(Buffer.from(slice));
    expect(slices.slice(0, -1).every(({ length }) => length === 64 * KB)).toBe(true);
    expect(slices.at(-1)?.length).toBeLessThan(64 * KB);
    expect(Buffer.concat(slices).equals(sent)).toBe(true);
  },
);
