// One segment of a stream: the pages that commits have changed, each as the last of them left it. Compressed, and encrypted with the key of
// its generation, which is in the snapshots.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

export type SegmentHeader = {
  readonly format: number;
  readonly generation: string;
  readonly sequence: number;
  /** Everything in it was committed by then. */
  readonly at: string;
  readonly pageBytes: number;
  /** Of the database after it. */
  readonly pages: number;
  /** Of the pages that follow, each behind its number. */
  readonly sha256: string;
  /** That of the segment before; "" in the first one. */
  readonly before: string;
};

export type Segment = { readonly header: SegmentHeader; readonly body: Buffer };

/** A segment that cannot be read: damaged, cut off, or encrypted with another key. */
export class UnreadableSegment extends Error {
  override readonly name = "UnreadableSegment";
}

export const SEGMENT_FORMAT = 1;
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Hardly larger than the others make it, in a fifth of the time. */
const LEVEL = 1;

export function newKey(): string {
  return randomBytes(32).toString("hex");
}

export function bodyOf(pages: ReadonlyMap<number, Buffer>): Buffer {
  const numbers = [...pages.keys()].sort((a, b) => a - b);
  return Buffer.concat(numbers.flatMap((page) => [number32(page), pages.get(page) as Buffer]));
}

export function digestOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}

/** `key` null: it is not encrypted. */
export async function packSegment({ header, body }: Segment, key: string | null): Promise<Buffer> {
  const text = Buffer.from(JSON.stringify(header));
  const plain = Buffer.concat([number32(text.length), text, body]);
  const packed = Buffer.from(await Bun.zstdCompress(plain, { level: LEVEL }));
  return key === null ? packed : sealed(packed, key);
}

/** @throws UnreadableSegment */
export async function unpackSegment(bytes: Buffer, key: string | null): Promise<Segment> {
  try {
    const plain = Buffer.from(await Bun.zstdDecompress(key === null ? bytes : unsealed(bytes, key)));
    const end = 4 + plain.readUInt32BE(0);
    const header = JSON.parse(plain.toString("utf8", 4, end)) as SegmentHeader;
    const body = plain.subarray(end);
    if (header.format === SEGMENT_FORMAT && digestOf(body) === header.sha256) return { header, body };
  } catch (error) {
    throw new UnreadableSegment("It is damaged or cut off.", { cause: error });
  }
  throw new UnreadableSegment("Its content is not what its header says.");
}

/** The pages with their numbers. */
export function* pagesIn({
  header: { pageBytes },
  body,
}: Segment): Generator<readonly [page: number, content: Buffer]> {
  for (let at = 0; at < body.length; at += 4 + pageBytes)
    yield [body.readUInt32BE(at), body.subarray(at + 4, at + 4 + pageBytes)];
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
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
