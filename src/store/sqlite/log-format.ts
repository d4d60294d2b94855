// The format of the log beside a SQLite file (sqlite.org/fileformat2.html, "The WAL File Format").

export const HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;

/** Salts of 8 bytes, which change each time the log starts over. */
export type LogHeader = { readonly pageBytes: number; readonly salts: Buffer; readonly sum: LogChecksum };

/** The running checksum after a frame, as two whole numbers of 32 bits. */
export type LogChecksum = readonly [number, number];

/** `pages`: the size of the database after the commit that ends here; 0 = the commit goes on. */
export type Frame = { readonly page: number; readonly pages: number; readonly sum: LogChecksum };

/** Sums in the byte order of today's machines. */
const MAGIC = 0x377f0682;

/** Null: there is no header yet, or it is being written. */
export function headerIn(bytes: Buffer): LogHeader | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32BE(0) !== MAGIC) return null;
  const sum: LogChecksum = [bytes.readInt32BE(24), bytes.readInt32BE(28)];
  if (!isSame(summed(bytes, 0, 24, [0, 0]), sum)) return null;
  return { pageBytes: bytes.readUInt32BE(8), salts: Buffer.from(bytes.subarray(16, 24)), sum };
}

/** The frame at `at`, which must be a multiple of four; null: no valid frame that follows `before`. */
export function frameIn(bytes: Buffer, at: number, { pageBytes, salts, sum: before }: LogHeader): Frame | null {
  if (salts.compare(bytes, at + 8, at + 16) !== 0) return null;
  const content = at + FRAME_HEADER_BYTES;
  const sum = summed(bytes, content, content + pageBytes, summed(bytes, at, at + 8, before));
  if (!isSame(sum, [bytes.readInt32BE(at + 16), bytes.readInt32BE(at + 20)])) return null;
  return { page: bytes.readUInt32BE(at), pages: bytes.readUInt32BE(at + 4), sum };
}

function isSame([a, b]: LogChecksum, [c, d]: LogChecksum): boolean {
  return a === c && b === d;
}

/**
 * Each sum is cut to 32 bits separately: a sum of three, cut once, becomes a floating-point number, and takes forty
 * times as long.
 */
function summed(bytes: Buffer, from: number, to: number, before: LogChecksum): LogChecksum {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + from, (to - from) / 4);
  let first = before[0] | 0;
  let second = before[1] | 0;
  for (let at = 0; at < words.length; at += 2) {
    first = (((first + (words[at] as number)) | 0) + second) | 0;
    second = (((second + (words[at + 1] as number)) | 0) + first) | 0;
  }
  return [first, second];
}
