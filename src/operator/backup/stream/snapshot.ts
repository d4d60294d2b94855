// The snapshots of a stream: a copy of the database file made while commits go on, and the segments that make it whole.
import { closeSync, mkdirSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../../package.json";
import { iso, systemClock } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import type { ShipRequest } from "../backup-worker.ts";
import { FORMAT, ownFiles, type Manifest } from "../contents.ts";
import { DATABASE, MANIFEST } from "../parts.ts";
import { packingThread } from "../thread.ts";
import { snapshotName } from "./names.ts";

/** A part of the archive: the database is that of a moment once the segments `from` to `to` are written over it. */
export const STREAM = "stream.json";
export type StreamPart = {
  readonly generation: string;
  readonly from: number;
  /** Less than `from`: none is needed. */
  readonly to: number;
  readonly key: string | null;
};

export type SnapshotOptions = {
  readonly config: Config;
  readonly schema: number;
  /** An open file: were it opened and closed here, the locks of SQLite in this process would be lost. */
  readonly database: number;
  readonly generation: string;
  readonly key: string | null;
  readonly from: number;
  /** Answers the last segment with the changes committed until now, once it is at the destination. */
  readonly shipped: () => Promise<number>;
};

const PIECE_BYTES = 1024 * 1024;
const FOLDER = "stream-in-work";

/** Answers the first moment that it can be restored to. @throws Error as the disk or the place says */
export async function shipSnapshot(options: SnapshotOptions): Promise<string> {
  const { config, generation, key, from } = options;
  const folder = join(config.data.dir, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  try {
    const path = join(folder, DATABASE);
    await copyOpen(options.database, path);
    // Changes committed while the file was copied may be in the copy in part.
    const to = await options.shipped();
    const madeAt = iso(systemClock.nowMs());
    const part: StreamPart = { generation, from, to, key };
    const parts = [
      { name: MANIFEST, text: JSON.stringify(manifestOf(options.schema, path, madeAt), null, 2) },
      { name: STREAM, text: JSON.stringify(part) },
      { name: DATABASE, path },
      ...ownFiles(config),
    ];
    const name = snapshotName({ at: madeAt, generation, from });
    await shipBeside({ kind: "ship", backup: config.backup, name, parts });
    return madeAt;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** On another thread: a busy stream thread would not read the log, and writes may have to wait for that. */
async function shipBeside(request: ShipRequest): Promise<void> {
  const thread = packingThread("The snapshot of the stream");
  await thread.ask(request).finally(() => thread.close());
}

function manifestOf(schema: number, path: string, madeAt: string): Manifest {
  const databaseBytes = statSync(path).size;
  return { format: FORMAT, version, schema, madeAt, engine: "sqlite", databaseBytes };
}

/** In pieces, between which the thread reads the log if it is asked to. */
async function copyOpen(database: number, path: string): Promise<void> {
  const copy = openSync(path, "wx", 0o600);
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  try {
    for (let at = 0; ;) {
      const count = readSync(database, piece, 0, PIECE_BYTES, at);
      if (count === 0) return;
      writeSync(copy, piece, 0, count, at);
      at += count;
      await new Promise(setImmediate);
    }
  } finally {
    closeSync(copy);
  }
}
