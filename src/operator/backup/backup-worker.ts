// Runs on its own thread, since encrypting blocks a thread for seconds: copies the store, packs the copy, and writes
// the archive to its destination; or packs and writes what a stream has copied.
import { createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "../../base/config.ts";
import { carryOutWhatIsAsked } from "../../base/jobs/worker-side.ts";
import { packed, type ArchivePart, type Seal } from "./archive.ts";
import { contentsOf, type Manifest } from "./contents.ts";
import { openPlace, removeUnfinished, writeWhole } from "./place.ts";

/** A file's path, the standard output, or a name at a destination. */
export type BackupTarget =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "out" }
  | { readonly kind: "place"; readonly to: string; readonly name: string };

export type BackupRequest = {
  readonly kind: "backup";
  readonly config: Config;
  readonly madeAt: string;
  /** An empty one, where the copy is made. */
  readonly folder: string;
  readonly seal: Seal;
  readonly target: BackupTarget;
};

/** Goes to the destination of the stream. */
export type ShipRequest = {
  readonly kind: "ship";
  readonly backup: Config["backup"];
  readonly name: string;
  readonly parts: readonly ArchivePart[];
};

/** The first request says nothing: it shows that the thread has started. */
carryOutWhatIsAsked<BackupRequest | ShipRequest | null>(
  (request) => request && (request.kind === "ship" ? ship(request) : made(request)),
);

async function ship({ backup, name, parts }: ShipRequest): Promise<void> {
  await openPlace(backup, backup.stream as string).put(name, await packed(parts, backup));
}

async function made({ config, madeAt, folder, seal, target }: BackupRequest): Promise<Manifest> {
  const { manifest, parts } = await contentsOf({ config, madeAt, folder });
  const archive = await packed(parts, seal);
  if (target.kind === "file") {
    removeUnfinished(dirname(target.path));
    await writeWhole(archive, target.path);
  } else if (target.kind === "place") await openPlace(config.backup, target.to).put(target.name, archive);
  else await pipeline(archive, createWriteStream("", { fd: 1, autoClose: false }));
  return manifest;
}
