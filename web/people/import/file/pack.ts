// Packs several files into one ZIP archive (APPNOTE.TXT 6.3.10 §4.3), which the server reads as one import.

const VERSION = 20;
/** Bit 11: names are UTF-8. */
const FLAGS = 1 << 11;
const DEFLATED = 8;
const MAX_NAME_BYTES = 0xffff;

const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

/** The name of the archive lists the names of its files. */
export async function packed(files: readonly File[]): Promise<File> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const content = await deflated(file);
    const name = new TextEncoder().encode(file.name).subarray(0, MAX_NAME_BYTES);
    const facts = [...shorts(VERSION, FLAGS, DEFLATED), ...longs(0, crcOf(bytes), content.length, bytes.length)];
    const local = Uint8Array.from([...longs(0x04034b50), ...facts, ...shorts(name.length, 0), ...name]);
    const tail = [...shorts(name.length, 0, 0, 0, 0), ...longs(0, at), ...name];
    directory.push(Uint8Array.from([...longs(0x02014b50), ...shorts(VERSION), ...facts, ...tail]));
    parts.push(local, content);
    at += local.length + content.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const counts = shorts(0, 0, files.length, files.length);
  const end = Uint8Array.from([...longs(0x06054b50), ...counts, ...longs(size, at), ...shorts(0)]);
  const name = files.map((file) => file.name).join(", ");
  return new File([...parts, ...directory, end], name, { type: "application/zip" });
}

async function deflated(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const stream = file.stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRCS[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function shorts(...numbers: readonly number[]): number[] {
  return numbers.flatMap((number) => [number & 0xff, (number >>> 8) & 0xff]);
}

function longs(...numbers: readonly number[]): number[] {
  return numbers.flatMap((number) => shorts(number & 0xffff, number >>> 16));
}
