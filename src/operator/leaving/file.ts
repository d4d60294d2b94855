// The file of a workspace as bytes: a tar archive (POSIX.1-2001) of JSON lines, with what it is at its beginning and a
// manifest at its end (docs/moving/leaving.md).
import type { Readable } from "node:stream";
import { extract, pack, type Pack } from "tar-stream";
import { isOfDisk } from "../backup/archive.ts";
import { UnreadableFile } from "./unreadable.ts";

/** Raised when a file can no longer be read by what reads this one. */
export const FORMAT_VERSION = 1;
export const ABOUT = "about.json";
export const MANIFEST = "manifest.json";
export const SECRETS = "secrets.age";

export type FileHeader = {
  readonly format: "posthorn-workspace";
  readonly formatVersion: number;
  /** The version of the Posthorn that wrote it. */
  readonly version: string;
  readonly workspace: { readonly id: string; readonly name: string };
  /** Events and emails since then; null = all. */
  readonly since: string | null;
};

export type PartDigest = {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
};

export type FileManifest = FileHeader & {
  readonly parts: readonly PartDigest[];
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  /** Tables that are not in the file, and why. */
  readonly stays: Readonly<Record<string, string>>;
};

export type FilePart = { readonly name: string; readonly bytes: Buffer; readonly rows: number };

export function partName(table: string, number: number): string {
  return `${table}-${String(number).padStart(6, "0")}.jsonl`;
}

export function digestOf({ name, bytes, rows }: FilePart): PartDigest {
  return { name, rows, bytes: bytes.length, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") };
}

/** The archive, made as it is read; two of the same parts are the same bytes. */
export async function* packed(parts: AsyncIterable<FilePart>): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const adding = addAll(tar, parts);
  adding.catch((error: Error) => tar.destroy(error));
  try {
    yield* tar as AsyncIterable<Uint8Array>;
    await adding;
  } finally {
    tar.destroy();
  }
}

async function addAll(tar: Pack, parts: AsyncIterable<FilePart>): Promise<void> {
  for await (const { name, bytes } of parts)
    await new Promise<void>((resolve, reject) => {
      const header = { name, mode: 0o600, mtime: new Date(0), size: bytes.length };
      tar.entry(header, (error) => (error ? reject(error) : resolve())).end(bytes);
    });
  tar.finalize();
}

/** A part is a few megabytes, unless it has a single long row. */
const MOST_PART_BYTES = 64 * 1024 * 1024;

/** The parts of an archive of unknown origin, one after the other. @throws UnreadableFile */
export async function* unpacked(bytes: Readable): AsyncGenerator<FilePart> {
  const tar = extract();
  bytes.on("error", (error) => tar.destroy(error));
  bytes.pipe(tar);
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header;
      if (type !== "file") throw new UnreadableFile(`its ${quotedName(name)} is no file`);
      if (size > MOST_PART_BYTES) throw new UnreadableFile(`its ${quotedName(name)} is larger than any part of one`);
      yield { name, bytes: await wholeOf(entry), rows: 0 };
    }
  } catch (error) {
    if (error instanceof UnreadableFile || isOfDisk(error)) throw error;
    throw new UnreadableFile("it is no tar archive, or it is damaged or cut off", { cause: error });
  } finally {
    bytes.destroy();
  }
}

async function wholeOf(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of entry) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

function quotedName(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

/** A part that is JSON. @throws UnreadableFile if it is not */
export function jsonPart<T>({ name, bytes }: FilePart): T {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === "object" && value !== null) return value as T;
  } catch {
    // Said below.
  }
  throw new UnreadableFile(`its ${name} cannot be read`);
}
