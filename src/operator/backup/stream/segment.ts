// One segment of a stream: a header, and the pages that commits have changed, each as the last of them left it,
// compressed. Encrypted with the key of its generation, which is in the snapshots.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";

export type SegmentHeader = {
  readonly format: number;
  readonly generation: string;
  readonly sequence: number;
  /** Everything in the segment was committed by then. */
  readonly at: string;
  readonly pageBytes: number;
  /** The size of the database after the segment. */
  readonly pages: number;
  /** The digest of the compressed pages that follow. */
  readonly sha256: string;
  /** The digest of the segment before; "" in the first one. */
  readonly before: string;
};

/** `body`: the pages, each behind its number. */
export type StreamSegment = { readonly header: SegmentHeader; readonly body: Buffer };

/** A segment that cannot be read: damaged, cut off, or encrypted with another key. */
export class UnreadableSegment extends Error {
  override readonly name = "UnreadableSegment";
}

export const SEGMENT_FORMAT = 2;
export const NUMBER_BYTES = 4;
/** The limit of the unpacked pages of a segment: they are in memory where it is made and where it is read. */
export const MOST_BODY_BYTES = 256 * 1024 * 1024;
/** The limit of a whole segment; incompressible pages grow a little. */
export const MOST_SEGMENT_BYTES = MOST_BODY_BYTES + 2 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const unpacked = promisify(zstdDecompress);
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Hardly larger than with higher levels, in a fifth of the time. */
const LEVEL = 1;

export function newKey(): string {
  return randomBytes(32).toString("hex");
}

/** Without its digest, which is made of the compressed body. `key` null: it is not encrypted. */
export async function packSegment(
  header: Omit<SegmentHeader, "sha256">,
  body: Buffer,
  key: string | null,
): Promise<{ readonly bytes: Buffer; readonly sha256: string }> {
  const packed = await Bun.zstdCompress(body, { level: LEVEL });
  const sha256 = digestOf(packed);
  const text = Buffer.from(JSON.stringify({ ...header, sha256 } satisfies SegmentHeader));
  const plain = Buffer.concat([number32(text.length), text, packed]);
  return { bytes: key === null ? plain : sealed(plain, key), sha256 };
}

/** @throws UnreadableSegment */
export async function unpackSegment(bytes: Buffer, key: string | null): Promise<StreamSegment> {
  try {
    const plain = key === null ? bytes : unsealed(bytes, key);
    const end = NUMBER_BYTES + plain.readUInt32BE(0);
    const header = JSON.parse(plain.toString("utf8", NUMBER_BYTES, end)) as SegmentHeader;
    const packed = plain.subarray(end);
    if (header.format === SEGMENT_FORMAT && digestOf(packed) === header.sha256)
      return { header, body: await unpacked(packed, { maxOutputLength: MOST_BODY_BYTES, chunkSize: CHUNK_BYTES }) };
  } catch (error) {
    throw new UnreadableSegment("It is damaged or cut off.", { cause: error });
  }
  throw new UnreadableSegment("Its content is not what its header says.");
}

/** `mostBytes`: the limit of its growth. */
type Copy = { readonly pageBytes: number; readonly mostBytes: number };

/**
 * Checks that its pages can be those of that copy: a forged segment may be meant to fill the disk or to take the time
 * of those who read it.
 */
export function isSound({ header, body }: StreamSegment, { pageBytes, mostBytes }: Copy): boolean {
  const isPages = Number.isSafeInteger(header.pages) && header.pages > 0 && header.pages * pageBytes <= mostBytes;
  if (header.pageBytes !== pageBytes || !isPages || body.length % (NUMBER_BYTES + pageBytes) !== 0) return false;
  for (const [page] of pagesIn({ header, body })) if (page === 0) return false;
  return true;
}

/** The pages with their numbers. */
export function* pagesIn({
  header: { pageBytes },
  body,
}: StreamSegment): Generator<readonly [page: number, content: Buffer]> {
  const length = NUMBER_BYTES + pageBytes;
  for (let at = 0; at < body.length; at += length)
    yield [body.readUInt32BE(at), body.subarray(at + NUMBER_BYTES, at + length)];
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeUInt32BE(value);
  return bytes;
}

function sealed(plain: Buffer, key: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, Buffer.from(key, "hex"), iv);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function unsealed(bytes: Buffer, key: string): Buffer {
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, "hex"), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
