// The file of a backup: tar (POSIX.1-2001) in zstd (RFC 8878), in age (age-encryption.org/v1) if it is encrypted. These
// three programs open it without Posthorn.
import type { Encrypter } from "age-encryption";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { join } from "node:path";
import { Readable, type Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { extract, pack, type Pack } from "tar-stream";
import { ArchiveBounds, UnreadableArchive } from "./parts.ts";

export type ArchivePart =
  { readonly name: string; readonly path: string } | { readonly name: string; readonly text: string };

/** The key that encrypts a backup; both null = the backup is not encrypted. */
export type Seal = { readonly passphrase: string | null; readonly recipient: string | null };
/**
 * The key that opens an encrypted backup: the passphrase, or the identity (AGE-SECRET-KEY-1…) that belongs to the
 * recipient.
 */
export type Opener = { readonly passphrase: string | null; readonly identity: string | null };

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const AGE_HEADER = "age-encryption.org/";
/** A few hundred bytes a recipient. */
const MOST_HEADER_BYTES = 64 * 1024;
/** The exponent of 2: some tenths of a second and 64 MB for each guess. */
const SCRYPT_WORK = 16;
const COMPRESSION = 3;
const PIECE_BYTES = 1024 * 1024;

/** Loaded when something is encrypted for the first time: it takes megabytes. */
export const age = () => import("age-encryption");

/** The bytes of an archive of `parts`, made as they are read. */
export async function packed(parts: readonly ArchivePart[], seal: Seal): Promise<Readable> {
  const tar = pack();
  const zstd = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  addAll(tar, parts).catch((error: Error) => tar.destroy(error));
  const compressed = piped(Readable.from(tar), zstd);
  const { passphrase, recipient } = seal;
  if (passphrase === null && recipient === null) return compressed;
  const encrypter = new (await age()).Encrypter();
  if (recipient !== null) encrypter.addRecipient(recipient);
  else setPassphrase(encrypter, passphrase as string);
  return fromWeb(await encrypter.encrypt(toWeb(compressed)));
}

export function setPassphrase(encrypter: Encrypter, passphrase: string): void {
  encrypter.setScryptWorkFactor(SCRYPT_WORK);
  encrypter.setPassphrase(passphrase);
}

async function addAll(tar: Pack, parts: readonly ArchivePart[]): Promise<void> {
  for (const part of parts) {
    const mode = 0o600;
    if ("text" in part) tar.entry({ name: part.name, mode }, part.text);
    else {
      const entry = tar.entry({ name: part.name, mode, size: statSync(part.path).size });
      await pipeline(createReadStream(part.path, { highWaterMark: PIECE_BYTES }), entry);
    }
  }
  tar.finalize();
}

/**
 * Writes the parts of an archive that are `wanted` into an empty folder, and answers their names; others are passed
 * over.
 * @throws UnreadableArchive in plain words
 */
export async function unpacked(bytes: Readable, opener: Opener, into: { folder: string; wanted: readonly string[] }) {
  const { folder, wanted } = into;
  const plain = await decryptedArchive(bytes, opener);
  const [bounds, tar] = [new ArchiveBounds(), extract()];
  const names: string[] = [];
  const fed = pipeline(plain, bounds.packed, createZstdDecompress(), bounds.unpacked, tar);
  // The fault of `fed` is thrown once the parts are read.
  fed.catch(() => undefined);
  try {
    for await (const entry of tar) {
      const { name } = entry.header;
      if (!wanted.includes(name)) {
        entry.resume();
        continue;
      }
      if (names.includes(name)) throw new UnreadableArchive(`It is no backup of Posthorn: it has two ${name}.`);
      bounds.accept(entry.header, folder);
      names.push(name);
      await save(Readable.from(entry), join(folder, name));
    }
    await fed;
  } catch (error) {
    if (isOfDisk(error) || error instanceof UnreadableArchive) throw error;
    throw new UnreadableArchive("It is no backup of Posthorn, or it is damaged or cut off.", { cause: error });
  }
  return names;
}

function save(entry: Readable, path: string): Promise<void> {
  return pipeline(entry, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
}

/** Faults that the operating system reports: disk full, no permission. */
export function isOfDisk(error: unknown): boolean {
  return typeof (error as { syscall?: unknown }).syscall === "string";
}

async function decryptedArchive(bytes: Readable, { passphrase, identity }: Opener): Promise<Readable> {
  const { first, whole } = await peeked(bytes, MOST_HEADER_BYTES);
  const start = first.toString("latin1");
  if (!start.startsWith(AGE_HEADER)) return refusedIfOpened(whole, first, { passphrase, identity });
  if (!start.includes("\n--- "))
    throw new UnreadableArchive("It is no backup of Posthorn, or it is damaged: its header does not end.");
  if (passphrase === null && identity === null)
    throw new UnreadableArchive("It is encrypted: give the passphrase or the identity that opens it.");
  const decrypter = new (await age()).Decrypter();
  if (identity !== null) decrypter.addIdentity(identity);
  if (passphrase !== null) decrypter.addPassphrase(passphrase);
  try {
    return fromWeb(await decrypter.decrypt(toWeb(whole)));
  } catch (error) {
    throw new UnreadableArchive("It is encrypted, and the given passphrase or identity does not open it.", {
      cause: error,
    });
  }
}

/**
 * A given passphrase means that only its owner can have made the archive; an unencrypted one may have been put in its
 * place.
 */
function refusedIfOpened(whole: Readable, first: Buffer, { passphrase, identity }: Opener): Readable {
  const isGiven = passphrase !== null || identity !== null;
  if (isGiven && first.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC))
    throw new UnreadableArchive(
      "It is not encrypted, though a passphrase or an identity was given to open it: somebody may have replaced it. If you trust it, leave out --passphrase-file, --identity-file and backup.passphrase.",
    );
  return whole;
}

/** Reads the first bytes ahead; `whole` begins with them again. */
async function peeked(bytes: Readable, count: number): Promise<{ first: Buffer; whole: Readable }> {
  const pieces: Buffer[] = [];
  const iterator = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (let left = count; left > 0;) {
    const next = await iterator.next();
    if (next.done) break;
    pieces.push(next.value);
    left -= next.value.length;
  }
  const head = Buffer.concat(pieces);
  async function* all() {
    yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { first: head.subarray(0, count), whole: Readable.from(all()) };
}

/** As `pipe`, with the faults of the first. */
function piped(from: Readable, through: Duplex): Readable {
  from.on("error", (error) => through.destroy(error));
  return from.pipe(through);
}

/** The types of Node and of the web describe the same streams. */
function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
}

function fromWeb(stream: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as unknown as Parameters<typeof Readable.fromWeb>[0]);
}
