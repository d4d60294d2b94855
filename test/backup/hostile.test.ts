// Backups, streams and lists that somebody has made to do harm: each is refused in words, and takes neither the memory
// nor the disk.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { buffer } from "node:stream/consumers";
import { createZstdCompress } from "node:zlib";
import { segmentName, segmentOf } from "../../src/operator/backup/stream/names.ts";
import {
  MOST_BODY_BYTES,
  packSegment,
  SEGMENT_FORMAT,
  type SegmentHeader,
} from "../../src/operator/backup/stream/segment.ts";
import { posthornCli } from "../support/cli.ts";
import { ENGINE } from "../support/database.ts";
import { leftovers, until } from "../support/leftovers.ts";
import { startPosthorn } from "../support/posthorn.ts";

const { clean, folder } = leftovers();

const MB = 1024 * 1024;
const MANIFEST = JSON.stringify({ format: 1, version: "0.1.0", schema: 1, madeAt: "2026-03-01T09:00:00.000Z" });

type Entry = { readonly name: string; readonly text?: string; readonly size?: number; readonly type?: "symlink" };

/** As POSIX.1-2001 has it; a size that does not fit in octal is binary. */
function tarHeader({ name, size, type }: { name: string; size: number; type: Entry["type"] }): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000600\x000000000\x000000000\x00", 100);
  if (size < 8 ** 11) header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  else header.writeBigUInt64BE(BigInt(size), 128);
  if (size >= 8 ** 11) header[124] = 0x80;
  header.write("00000000000\0        ", 136);
  header.write(type === "symlink" ? "2/etc/passwd" : "0", 156);
  header.write("ustar\x0000", 257);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  return header;
}

/** Of an entry with a size alone, the content does not follow. */
async function archive(entries: readonly Entry[], zerosBehind = 1024): Promise<string> {
  async function* all() {
    for (const { name, text = "", size = text.length, type } of entries) {
      yield tarHeader({ name, size, type });
      yield Buffer.concat([Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)]);
    }
    for (let left = zerosBehind; left > 0; left -= MB) yield Buffer.alloc(Math.min(left, MB));
  }
  const zstd = createZstdCompress();
  const [packed] = await Promise.all([buffer(zstd), pipeline(Readable.from(all()), zstd)]);
  const path = join(folder(), "posthorn.backup");
  writeFileSync(path, packed);
  return path;
}

async function restored(file: string) {
  const dataDir = folder();
  const { code, err } = await posthornCli(["restore", file, "--data", dataDir]);
  return { code, err, left: readdirSync(dataDir).filter((name) => !name.endsWith(".lock")) };
}

const KEY = { name: "secret.key", text: `${"0".repeat(64)}\n` };
const WHOLE = { name: "manifest.json", text: MANIFEST };

test.each([
  ["zeros without an end", [WHOLE, KEY], 80 * MB, "more is in it than the parts of one"],
  ["a part of another kind, of gigabytes", [WHOLE, { name: "other", size: 2 ** 33 }], 80 * MB, "more is in it"],
  ["a key of a gigabyte", [WHOLE, { name: "secret.key", size: 2 ** 30 }], 1024, "its secret.key is larger"],
  [
    "a database of a terabyte",
    [{ name: "posthorn.db", size: 2 ** 50 }],
    1024,
    "The database in it needs 1125899907 MB",
  ],
  [
    "a link instead of a key",
    [WHOLE, { name: "secret.key", type: "symlink" as const }],
    0,
    "its secret.key is no file",
  ],
  ["two keys", [WHOLE, KEY, KEY], 1024, "it has two secret.key"],
  [
    "a manifest that is none",
    [{ ...WHOLE, text: "{" }, KEY, { name: "posthorn.db", text: "x" }],
    1024,
    "manifest.json",
  ],
  [
    "a manifest of another shape",
    [{ ...WHOLE, text: "[]" }, KEY, { name: "posthorn.db", text: "x" }],
    1024,
    "its manifest.json is not one",
  ],
  ["names that lead elsewhere", [WHOLE, { name: "../secret.key", text: "x" }], 1024, "it has no secret.key"],
] as const)("A backup with %s is refused", async (_, entries, zeros, words) => {
  const { code, err, left } = await restored(await archive(entries, zeros));
  expect([code, err, left]).toEqual([1, expect.stringContaining(words), []]);
});

test("A backup of frames that unpack to nothing, without an end, is refused", async () => {
  const frame = Buffer.alloc(MB);
  // As RFC 8878 has frames that are skipped: their number, and how long they are.
  frame.writeUInt32LE(0x184d2a50);
  frame.writeUInt32LE(MB - 8, 4);
  const path = join(folder(), "posthorn.backup");
  for (let number = 0; number < 70; number++) appendFileSync(path, frame);
  const { code, err } = await restored(path);
  expect([code, err]).toEqual([1, expect.stringContaining("more is in it than the parts of one")]);
});

test("A file whose encryption has a header without an end is refused", async () => {
  const path = join(folder(), "posthorn.backup");
  writeFileSync(path, `age-encryption.org/v1\n${`-> X25519 ${"A".repeat(43)}\n${"A".repeat(43)}\n`.repeat(20_000)}`);
  const { code, err } = await posthornCli(["restore", path, "--data", folder()]);
  expect([code, err]).toEqual([1, expect.stringContaining("its header does not end")]);
});

/** A stream that ends in order, and what the segment after its last one has to say. */
async function streamed(): Promise<{ stream: string; next: Omit<SegmentHeader, "sha256">; name: string }> {
  const stream = folder();
  const names = (start: string) => readdirSync(stream).filter((name) => name.startsWith(start));
  {
    await using posthorn = await startPosthorn({ dataDir: folder(), config: { backup: { stream } } });
    await until(() => names("snapshot-").length > 0);
    expect((await posthorn.call("POST /contacts", { email: "ada@example.com" })).status).toBe(201);
  }
  const last = names("g").sort().at(-1) as string;
  const bytes = readFileSync(join(stream, last));
  const header = JSON.parse(bytes.toString("utf8", 4, 4 + bytes.readUInt32BE(0))) as SegmentHeader;
  const { generation, sequence, at, pageBytes, pages } = header;
  expect(segmentOf(last)?.sequence).toBe(sequence);
  const next = { format: SEGMENT_FORMAT, generation, sequence: sequence + 1, at, pageBytes, pages };
  return {
    stream,
    next: { ...next, before: header.sha256 },
    name: segmentName({ generation, sequence: sequence + 1, at }),
  };
}

function page(number: number, bytes: number): Buffer {
  const content = Buffer.alloc(4 + bytes);
  content.writeUInt32BE(number);
  return content;
}

describe.skipIf(ENGINE === "postgres")("a stream", () => {
  test.each([
    ["unpacks to more than memory should hold", {}, () => Buffer.alloc(MOST_BODY_BYTES + 1), "damaged or cut off"],
    ["makes the database larger than the disk", { pages: 2 ** 40 }, page, "is not of this database"],
    ["has pages of a negative size", { pageBytes: -4 }, page, "is not of this database"],
    ["has pages of another size", { pageBytes: 512 }, page, "is not of this database"],
    ["has a page before the first", {}, (_: number, bytes: number) => page(0, bytes), "is not of this database"],
    ["ends within a page", {}, (_: number, bytes: number) => page(1, bytes).subarray(9), "is not of this database"],
  ] as const)("whose next segment %s is restored up to there", async (_, said, bodyOf, words) => {
    const { stream, next, name } = await streamed();
    const { bytes } = await packSegment({ ...next, ...said }, bodyOf(1, next.pageBytes), null);
    writeFileSync(join(stream, name), bytes);
    const { code, out } = await posthornCli(["restore", "--from", stream, "--data", folder()]);
    expect([code, out]).toEqual([0, expect.stringContaining(`segment ${next.sequence}`)]);
    expect(out).toContain(words);
  });

  test("whose next segment is a file of gigabytes is restored up to there", async () => {
    const { stream, next, name } = await streamed();
    writeFileSync(join(stream, name), "");
    truncateSync(join(stream, name), 2 ** 34);
    const { code, out } = await posthornCli(["restore", "--from", stream, "--data", folder()]);
    expect([code, out]).toEqual([0, expect.stringContaining(`segment ${next.sequence}: it is larger than`)]);
  });

  test("whose owner is a file of gigabytes, or no JSON, is not shipped to, and promotes nobody", async () => {
    const { stream } = await streamed();
    const second = folder();
    expect((await posthornCli(["standby", "--from", stream, "--data", second])).code).toBe(0);
    for (const write of [(path: string) => truncateSync(path, 2 ** 34), (path: string) => writeFileSync(path, "{")]) {
      write(join(stream, "owner.json"));
      const { code, err } = await posthornCli(["promote", "--from", stream, "--data", second]);
      expect([code, err]).toEqual([1, expect.stringContaining("owner.json at the place of the stream cannot be read")]);
    }
  });

  test("whose newest snapshot is another's under its name leaves the copy of a standby as it is", async () => {
    const { stream } = await streamed();
    const second = folder();
    await posthornCli(["standby", "--from", stream, "--data", second]);
    const [snapshot = ""] = readdirSync(stream).filter((name) => name.startsWith("snapshot-"));
    const forged = snapshot.replace(/g\d{8}/, "g20990101").replace(/^snapshot-\d{4}/, "snapshot-2099");
    writeFileSync(join(stream, forged), readFileSync(join(stream, snapshot)));
    const { err } = await posthornCli(["standby", "--from", stream, "--data", second]);
    expect(err).toContain(`${forged} is not the snapshot that its name says`);
    expect((await posthornCli(["promote", "--force", "--from", stream, "--data", second])).code).toBe(0);
  });
});

/** Answers each request for a list with what `page` makes of its `start-after`. */
function bucketThatLists(page: (after: string) => { keys: readonly string[]; isTruncated: boolean }) {
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    fetch(request) {
      asked++;
      const { keys, isTruncated } = page(new URL(request.url).searchParams.get("start-after") ?? "");
      const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join("");
      const list = `<ListBucketResult><Name>backups</Name><IsTruncated>${isTruncated}</IsTruncated><NextContinuationToken>same</NextContinuationToken>${contents}</ListBucketResult>`;
      return new Response(`<?xml version="1.0"?>${list}`, { headers: { "content-type": "application/xml" } });
    },
  });
  clean.push(() => server.stop(true));
  const env = {
    POSTHORN_BACKUP_ENDPOINT: `http://127.0.0.1:${server.port}`,
    POSTHORN_BACKUP_REGION: "us-east-1",
    POSTHORN_BACKUP_ACCESS_KEY_ID: "key",
    POSTHORN_BACKUP_SECRET_ACCESS_KEY: "key",
  };
  return {
    asked: () => asked,
    restored: () => posthornCli(["restore", "--from", "s3://backups/house", "--data", folder()], env),
  };
}

test("A list that begins anew with each page is refused", async () => {
  const bucket = bucketThatLists(() => ({ keys: ["house/snapshot-a", "house/snapshot-b"], isTruncated: true }));
  const { code, err } = await bucket.restored();
  expect([code, err]).toEqual([1, expect.stringContaining("its list of names does not come to an end")]);
  expect(bucket.asked()).toBe(2);
});

test("A list of fifty thousand names that lead elsewhere has nothing to restore", async () => {
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  const bucket = bucketThatLists((after) => {
    const from = Number(/\d{6}/.exec(after)?.[0] ?? 0) + 1;
    const keys = Array.from({ length: 1_000 }, (_, index) => {
      const number = String(from + index).padStart(6, "0");
      return `house/snapshot-${number}/../../${digest(number)}`;
    });
    return { keys: [...keys, "/etc/passwd"].sort(), isTruncated: from < 49_001 };
  });
  const { code, err } = await bucket.restored();
  expect([code, err]).toEqual([1, expect.stringContaining("There is no stream at this place")]);
  expect(bucket.asked()).toBe(50);
});

test("A list of snapshots without an end is refused", async () => {
  const bucket = bucketThatLists((after) => {
    const from = Number(/\d{9}/.exec(after)?.[0] ?? 0) + 1;
    const numbers = Array.from({ length: 1_000 }, (_, index) => String(from + index).padStart(9, "0"));
    const keys = numbers.map(
      (number) => `house/snapshot-2026-03-01T09-00-00.000Z-g20260301T${number}Zaaaaaaaa-0000000001`,
    );
    return { keys, isTruncated: true };
  });
  const { code, err } = await bucket.restored();
  expect([code, err]).toEqual([1, expect.stringContaining("its list of names does not come to an end")]);
});
