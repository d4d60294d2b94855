// The face as one file, embedded in the executable: a list of what is in it, then every file, compressed.
import type { FaceFile } from "./face-file.ts";

type Listed = Omit<FaceFile, "bytes"> & { readonly length: number };

/** The length of the list comes first. */
const HEAD_BYTES = 4;

/** `bytes` are compressed by brotli. */
export function writePack(files: readonly FaceFile[]): Uint8Array {
  const list = files.map(({ bytes, ...file }): Listed => ({ ...file, length: bytes.length }));
  const text = new TextEncoder().encode(JSON.stringify(list));
  const head = new Uint8Array(HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, text.length);
  return Buffer.concat([head, text, ...files.map(({ bytes }) => bytes)]);
}

export function readPack(pack: Uint8Array): readonly FaceFile[] {
  const listBytes = new DataView(pack.buffer, pack.byteOffset).getUint32(0);
  let start = HEAD_BYTES + listBytes;
  const list = JSON.parse(new TextDecoder().decode(pack.subarray(HEAD_BYTES, start))) as readonly Listed[];
  return list.map(({ length, ...file }) => {
    const bytes = pack.subarray(start, start + length);
    start += length;
    return { ...file, bytes };
  });
}
