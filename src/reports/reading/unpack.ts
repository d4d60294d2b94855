// A report's bytes, out of gzip or zip. A stranger sent them: what they unpack to is bounded, and a file within a file is
// not looked for.
import { gunzipSync, inflateRawSync } from "node:zlib";
import { Unreadable } from "./report.ts";

/** Receivers of ten thousands of mails a day write a few megabytes. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Reports repeat themselves: they shrink to a thirtieth. What shrinks to less is made to be unpacked. */
const MAX_RATIO = 200;
const FREE_BYTES = 1024 * 1024;

/** The text in these bytes, packed or not. @throws Unreadable */
export function unpacked(bytes: Uint8Array): Uint8Array {
  if (startsWith(bytes, [0x1f, 0x8b])) return inflated(() => gunzipSync(bytes, limits(bytes)), bytes);
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return unzipped(bytes);
  if (bytes.length > MAX_BYTES) throw new Unreadable("large");
  return bytes;
}

/** Whether it may be packed. */
export function isPacked(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x1f, 0x8b]) || startsWith(bytes, [0x50, 0x4b]);
}

function startsWith(bytes: Uint8Array, sign: readonly number[]): boolean {
  return sign.every((byte, index) => bytes[index] === byte);
}

function limits({ length }: Uint8Array): { readonly maxOutputLength: number } {
  return { maxOutputLength: Math.min(MAX_BYTES, Math.max(FREE_BYTES, length * MAX_RATIO)) };
}

function inflated(inflate: () => Uint8Array, packed: Uint8Array): Uint8Array {
  try {
    return inflate();
  } catch (error) {
    const isTooMuch = (error as { readonly code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    if (!isTooMuch) throw new Unreadable("unpacking");
    throw new Unreadable(limits(packed).maxOutputLength < MAX_BYTES ? "bomb" : "large");
  }
}

const END_SIGN = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGN = 0x02014b50;
const FILE_SIGN = 0x04034b50;
const FILE_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** A comment may follow. */
const MAX_TAIL_BYTES = END_BYTES + 0xffff;
/** What ZIP64 writes where the real number is elsewhere. */
const ELSEWHERE = 0xffffffff;

/** The only file of an archive (APPNOTE.TXT 6.3.10 §4.3). @throws Unreadable, also for several files and ZIP64 */
function unzipped(bytes: Uint8Array): Uint8Array {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return onlyFile(zip);
  } catch (error) {
    // It points outside of itself.
    if (error instanceof RangeError) throw new Unreadable("unpacking");
    throw error;
  }
}

function onlyFile(zip: Buffer): Uint8Array {
  const end = endOf(zip);
  if (zip.readUInt16LE(end + 10) !== 1) throw new Unreadable("unpacking");
  const entry = zip.readUInt32LE(end + 16);
  if (zip.readUInt32LE(entry) !== ENTRY_SIGN || (zip.readUInt16LE(entry + 8) & ENCRYPTED) !== 0)
    throw new Unreadable("unpacking");
  const method = zip.readUInt16LE(entry + 10);
  const [packedSize, size, place] = [20, 24, 42].map((at) => zip.readUInt32LE(entry + at)) as [number, number, number];
  if ([packedSize, size, place].includes(ELSEWHERE)) throw new Unreadable("unpacking");
  const packed = contentAt(zip, place, packedSize);
  const limit = limits(packed).maxOutputLength;
  if (size > limit) throw new Unreadable(limit < MAX_BYTES ? "bomb" : "large");
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new Unreadable("unpacking");
  return inflated(() => inflateRawSync(packed, limits(packed)), packed);
}

function endOf(zip: Buffer): number {
  const least = Math.max(0, zip.length - MAX_TAIL_BYTES);
  for (let at = zip.length - END_BYTES; at >= least; at--) if (zip.readUInt32LE(at) === END_SIGN) return at;
  throw new Unreadable("unpacking");
}

function contentAt(zip: Buffer, place: number, size: number): Buffer {
  if (zip.readUInt32LE(place) !== FILE_SIGN) throw new Unreadable("unpacking");
  const start = place + FILE_BYTES + zip.readUInt16LE(place + 26) + zip.readUInt16LE(place + 28);
  const content = zip.subarray(start, start + size);
  if (content.length !== size) throw new Unreadable("unpacking");
  return content;
}
