// A large message is stored in slices, and leaves in one piece.
import { expect, test } from "bun:test";
import type { Posthorn } from "../support/posthorn.ts";
import { countOf } from "../support/scenario.ts";
import { idsIn, startSubmission, submit } from "../support/submission.ts";

const KB = 1024;
const SLICE = 256 * KB;
const DATE = "Sun, 22 Nov 2026 07:00:00 +0000";
const HEADER = `From: ada@example.test\r\nTo: bob@example.com\r\nMessage-ID: <large@a>\r\nDate: ${DATE}\r\n\r\n`;

/** Each of its lines is another one, so that no slice can be taken for another. */
function messageOf(bytes: number): Buffer {
  const lines = Array.from({ length: Math.ceil(bytes / 64) }, (_, at) => `${String(at).padEnd(62)}\r\n`).join("");
  return Buffer.from(`${HEADER}${lines}`.slice(0, bytes - 2).concat("\r\n"));
}

const keptIn = (posthorn: Posthorn) =>
  Promise.all(["contents", "raw_messages", "raw_slices"].map((table) => countOf(posthorn, table)));

const sizesIn = async (posthorn: Posthorn) => {
  const rows = await posthorn.store.read(
    (reader) => reader.all<{ number: number; bytes: number }>`
      select 0 as number, length(bytes) as bytes from raw_messages
      union all select number, length(bytes) as bytes from raw_slices order by number`,
  );
  return rows.map(({ bytes }) => bytes);
};

test.each([
  ["one slice", SLICE, [SLICE]],
  ["a byte more", SLICE + 1, [SLICE, 1]],
  ["whole slices", 2 * SLICE, [SLICE, SLICE]],
  ["whatever", 1_000_001, [SLICE, SLICE, SLICE, 1_000_001 - 3 * SLICE]],
])("a message arrives byte by byte: %s", async (_, bytes, slices) => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  const message = messageOf(bytes);
  const [mail] = idsIn(await submit(open, message));
  expect(await sizesIn(posthorn)).toEqual(slices);

  await posthorn.settle();
  const left = posthorn.transport.sent[0]?.raw as Buffer;
  expect(left.subarray(left.length - bytes).equals(message)).toBe(true);
  expect(Buffer.from((await posthorn.call(`GET /emails/${mail}/raw`)).body).equals(left)).toBe(true);
});

test("a message that an earlier Posthorn has stored in one piece leaves as well", async () => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  const message = messageOf(1_000_000);
  await submit(open, messageOf(1_000));
  await posthorn.store.write((tx) => tx.run`update raw_messages set bytes = ${message}`);
  await posthorn.settle();
  const left = posthorn.transport.sent[0]?.raw as Buffer;
  expect(left.subarray(left.length - message.length).equals(message)).toBe(true);
});

test("a message stays with a mail that was cancelled, and goes with the last of its mails, slices and all", async () => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  const [mail] = idsIn(await submit(open, messageOf(1_000_000)));
  expect(await keptIn(posthorn)).toEqual([1, 1, 3]);
  await posthorn.call(`DELETE /emails/${mail}`);
  expect(await keptIn(posthorn)).toEqual([1, 1, 3]);
  const { found } = (await posthorn.call("POST /contacts/lookup", { emails: ["bob@example.com"] })).body;
  await posthorn.call(`DELETE /contacts/${found[0].id}`);
  await posthorn.settle();
  expect(await keptIn(posthorn)).toEqual([0, 0, 0]);
});

test("a message is forgotten, slices and all, when one of several whom it went to is erased", async () => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  await submit(open, messageOf(1_000_000), { to: ["bob@example.com", "eve@example.com"] });
  await posthorn.settle();
  const { found } = (await posthorn.call("POST /contacts/lookup", { emails: ["eve@example.com"] })).body;
  await posthorn.call(`DELETE /contacts/${found[0].id}`);
  await posthorn.settle();
  expect(await keptIn(posthorn)).toEqual([1, 0, 0]);
});
