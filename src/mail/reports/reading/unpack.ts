// The bytes of reports, out of gzip or zip. They come from strangers: their unpacked size is bounded, and the only
// nesting is gzip in zip, which gateways make.
import { crc32, gunzipSync, inflateRawSync } from "node:zlib";
import { BrokenZip, filesAmong, zipEntries, type ZipContent } from "../../../base/zip.ts";
import { Unreadable } from "./report.ts";

/** Receivers of tens of thousands of mails a day write a few megabytes. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Reports are repetitive: they shrink to a thirtieth. A far higher ratio marks a bomb. */
const MAX_RATIO = 200;
const FREE_BYTES = 1024 * 1024;

/** The files in these bytes, packed or not; at least one. @throws Unreadable */
export function unpacked(bytes: Uint8Array): readonly Uint8Array[] {
  if (isGzip(bytes)) return [gunzipped(bytes)];
  if (startsWith(bytes, [0x50, 0x4b])) return unzipped(bytes);
  if (bytes.length > MAX_BYTES) throw new Unreadable("large");
  return [bytes];
}

/** Programs ignore trailing bytes (RFC 1952 does not define them), such as the end of a line. */
function gunzipped(bytes: Uint8Array): Uint8Array {
  try {
    return inflated(() => gunzipSync(bytes, limits(bytes)), bytes);
  } catch (error) {
    const start = (error as Unreadable).fault === "unpacking" ? contentOfGzip(bytes) : null;
    if (start === null) throw error;
    const whole = inflated(() => inflateRawSync(bytes.subarray(start), limits(bytes)), bytes);
    const checked = Buffer.alloc(8);
    checked.writeUInt32LE(crc32(whole), 0);
    checked.writeUInt32LE(whole.length >>> 0, 4);
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(checked, start) === -1) throw error;
    return whole;
  }
}

const [HAS_CRC, HAS_EXTRA, HAS_NAME, HAS_COMMENT] = [2, 4, 8, 16];

/** The offset after the header (RFC 1952 §2.3); null if it is cut off. */
function contentOfGzip(bytes: Uint8Array): number | null {
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & HAS_EXTRA) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const text of [HAS_NAME, HAS_COMMENT])
    if (flags & text) {
      const end = bytes.indexOf(0, at);
      if (end === -1) return null;
      at = end + 1;
    }
  return at + (flags & HAS_CRC ? 2 : 0);
}

/** Whether it may be packed. */
export function isPacked(bytes: Uint8Array): boolean {
  return isGzip(bytes) || startsWith(bytes, [0x50, 0x4b]);
}

function isGzip(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x1f, 0x8b]);
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
    throw tooMuch(limits(packed).maxOutputLength);
  }
}

const MOST_FILES = 10;
const MOST_ENTRIES = 100;

/** @throws Unreadable, also for very many and ZIP64 */
function unzipped(zip: Uint8Array): readonly Uint8Array[] {
  try {
    return filesIn(zip);
  } catch (error) {
    throw error instanceof BrokenZip ? new Unreadable("unpacking") : error;
  }
}

function filesIn(zip: Uint8Array): readonly Uint8Array[] {
  const files = filesAmong(zipEntries(zip, MOST_ENTRIES));
  if (files.length === 0 || files.length > MOST_FILES) throw new Unreadable("unpacking");
  let left = limits(zip).maxOutputLength;
  return files.map(({ content }) => {
    const file = fileOf(content(), left);
    const whole = isGzip(file) ? gunzipped(file) : file;
    left -= whole.length;
    if (left < 0) throw tooMuch(limits(zip).maxOutputLength);
    return whole;
  });
}

function fileOf({ packed, isDeflated, size }: ZipContent, left: number): Uint8Array {
  const most = Math.min(left, limits(packed).maxOutputLength);
  if (size > most) throw tooMuch(most);
  if (!isDeflated) return packed;
  return inflated(() => inflateRawSync(packed, { maxOutputLength: Math.max(1, most) }), packed);
}

function tooMuch(most: number): Unreadable {
  return new Unreadable(most < MAX_BYTES ? "bomb" : "large");
}
