// The parts of a backup, and their maximum sizes in an archive of unknown origin.
import type { Header } from "tar-stream";
import { Transform } from "node:stream";
import { refuseWithoutRoom } from "../../base/private-files.ts";

export const MANIFEST = "manifest.json";
export const DATABASE = "posthorn.db";
export const KEY = "secret.key";
/** In the data directory; the server makes new ones where they are missing. */
export const CERTIFICATE: readonly string[] = ["smtp.cert.pem", "smtp.key.pem", "acme.pem", "acme.json"];

/** A backup that cannot be read: another file, another key, a damaged one. */
export class UnreadableArchive extends Error {
  override readonly name = "UnreadableArchive";
}

/** The limit of each part but the database: texts, keys, certificates. */
const MOST_SMALL_BYTES = 1024 * 1024;
/** The limit of the bytes between the parts, and of parts that a later version may add. */
const MOST_BETWEEN_BYTES = 64 * 1024 * 1024;
/** Incompressible bytes grow a little. */
const PACKED_SHARE = 1.01;

/** Passes on bytes until they exceed the size of the accepted parts. */
class ByteAllowance extends Transform {
  #leftBytes = MOST_BETWEEN_BYTES;

  add(bytes: number): void {
    this.#leftBytes += bytes;
  }

  override _transform(piece: Buffer, _: BufferEncoding, done: (error: Error | null, piece?: Buffer) => void): void {
    this.#leftBytes -= piece.length;
    if (this.#leftBytes >= 0) done(null, piece);
    else done(new UnreadableArchive("It is no backup of Posthorn: more is in it than the parts of one."));
  }
}

/**
 * Around the unpacking of an archive: a few bytes can unpack to any number of them, and any number of them to nothing.
 */
export class ArchiveBounds {
  readonly packed = new ByteAllowance();
  readonly unpacked = new ByteAllowance();

  /** @throws UnreadableArchive if the part may not be so large, or there is no room for it */
  accept({ name, size = 0, type }: Header, folder: string): void {
    if (type !== "file") throw new UnreadableArchive(`It is no backup of Posthorn: its ${name} is no file.`);
    if (name === DATABASE) refuseLargerThanRoom(folder, size);
    else if (size > MOST_SMALL_BYTES)
      throw new UnreadableArchive(`It is no backup of Posthorn: its ${name} is larger than any such part.`);
    this.packed.add(size * PACKED_SHARE);
    this.unpacked.add(size);
  }
}

function refuseLargerThanRoom(folder: string, bytes: number): void {
  try {
    refuseWithoutRoom(folder, bytes, "The database in it needs");
  } catch (error) {
    throw new UnreadableArchive((error as Error).message, { cause: error });
  }
}

/** A part that is JSON. @throws UnreadableArchive if it is not */
export function jsonPart(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableArchive(`It is no backup of Posthorn: its ${name} cannot be read.`, { cause: error });
  }
}
