// The files of a ZIP archive in memory (APPNOTE.TXT 6.3.10 §4.3), still packed. Archives come from strangers.

const END_SIGN = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGN = 0x02014b50;
const ENTRY_BYTES = 46;
const FILE_SIGN = 0x04034b50;
const FILE_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** A comment may follow. */
const MAX_TAIL_BYTES = END_BYTES + 0xffff;
/** ZIP64's placeholder for a number that is stored elsewhere. */
const ELSEWHERE = 0xffffffff;

/** Folders, and what archivers and desktops add. */
const NO_FILE = /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)|\/$/i;

/** The archive is damaged, or of a kind that is not read: encrypted, or ZIP64. */
export class BrokenZip extends Error {
  override readonly name = "BrokenZip";
}

export type ZipEntry = {
  /** Its path, with `/` between folders. */
  readonly name: string;
  readonly isEncrypted: boolean;
  /** @throws BrokenZip */
  readonly content: () => ZipContent;
};
export type ZipContent = {
  readonly packed: Buffer;
  readonly isDeflated: boolean;
  /** The size of the unpacked file, as the archive says. */
  readonly size: number;
  /** The CRC-32 of the unpacked file. */
  readonly checksum: number;
};

/** The directory of an archive. @throws BrokenZip, also for more than `most` entries */
export function zipEntries(bytes: Uint8Array, most: number): readonly ZipEntry[] {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return inside(() => {
    const end = endOf(zip);
    const [count, first] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)];
    if (count > most) throw new BrokenZip();
    const entries: ZipEntry[] = [];
    for (let at = first; entries.length < count;) {
      if (zip.readUInt32LE(at) !== ENTRY_SIGN) throw new BrokenZip();
      const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place));
      const [entry, start] = [at, at + ENTRY_BYTES];
      entries.push({
        name: zip.toString("utf8", start, start + name).replaceAll("\\", "/"),
        isEncrypted: (zip.readUInt16LE(entry + 8) & ENCRYPTED) !== 0,
        content: () => inside(() => contentOf(zip, entry)),
      });
      at = start + name + extra + comment;
    }
    return entries;
  });
}

/** The entries that are files, without what archivers and desktops add. */
export function filesAmong(entries: readonly ZipEntry[]): readonly ZipEntry[] {
  return entries.filter(({ name }) => !NO_FILE.test(name));
}

function inside<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    // The archive points outside itself.
    throw error instanceof RangeError ? new BrokenZip() : error;
  }
}

function endOf(zip: Buffer): number {
  const least = Math.max(0, zip.length - MAX_TAIL_BYTES);
  for (let at = zip.length - END_BYTES; at >= least; at--) if (zip.readUInt32LE(at) === END_SIGN) return at;
  throw new BrokenZip();
}

function contentOf(zip: Buffer, entry: number): ZipContent {
  if ((zip.readUInt16LE(entry + 8) & ENCRYPTED) !== 0) throw new BrokenZip();
  const method = zip.readUInt16LE(entry + 10);
  const [packedSize, size, place] = [20, 24, 42].map((at) => zip.readUInt32LE(entry + at)) as [number, number, number];
  if ([packedSize, size, place].includes(ELSEWHERE) || ![STORED, DEFLATED].includes(method)) throw new BrokenZip();
  if (zip.readUInt32LE(place) !== FILE_SIGN) throw new BrokenZip();
  const start = place + FILE_BYTES + zip.readUInt16LE(place + 26) + zip.readUInt16LE(place + 28);
  const packed = zip.subarray(start, start + packedSize);
  if (packed.length !== packedSize) throw new BrokenZip();
  return { packed, isDeflated: method === DEFLATED, size, checksum: zip.readUInt32LE(entry + 16) };
}
