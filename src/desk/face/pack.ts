// The face as one file, embedded in the executable: a list of its files, then every file, compressed.
import type { FaceFile } from "./face-file.ts";

type PackEntry = Omit<FaceFile, "bytes"> & { readonly length: number };

/** The length of the list comes first. */
const HEAD_BYTES = 4;

type PackFile = Omit<FaceFile, "bytes"> & { readonly bytes: Uint8Array };

/** `bytes` are compressed by brotli. */
export function writePack(files: readonly PackFile[]): Uint8Array {
  const list = files.map(({ bytes, ...file }): PackEntry => ({ ...file, length: bytes.length }));
  const text = new TextEncoder().encode(JSON.stringify(list));
  const head = new Uint8Array(HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, text.length);
  return Buffer.concat([head, text, ...files.map(({ bytes }) => bytes)]);
}

export async function readPack(pack: Blob): Promise<readonly FaceFile[]> {
  const listBytes = new DataView(await pack.slice(0, HEAD_BYTES).arrayBuffer()).getUint32(0);
  let start = HEAD_BYTES + listBytes;
  const list = JSON.parse(await pack.slice(HEAD_BYTES, start).text()) as readonly PackEntry[];
  return list.map(({ length, ...file }) => {
    const bytes = pack.slice(start, start + length);
    start += length;
    return { ...file, bytes };
  });
}
