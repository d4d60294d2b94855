// Makes a backup while the server runs: a thread copies the store, packs the copy and writes the archive.
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../base/config.ts";
import { isThere, refuseWithoutRoom } from "../../base/private-files.ts";
import { databaseFile } from "../../store/open.ts";
import type { Seal } from "./archive.ts";
import type { BackupTarget } from "./backup-worker.ts";
import type { Manifest } from "./contents.ts";
import { DATABASE } from "./parts.ts";
import { openPlace } from "./place.ts";
import { packingThread } from "./thread.ts";
import { workFolder } from "./work-folder.ts";

export type Backup = {
  readonly config: Config;
  /** The moment that the backup will hold. */
  readonly madeAt: string;
  readonly seal: Seal;
  readonly target: BackupTarget;
  /** Hears every second how many bytes of the copy are there. */
  readonly onCopied?: (bytes: number) => void;
};

export type BackupRun = {
  /** @throws Error in plain words; then nothing is left behind */
  readonly done: Promise<Manifest>;
  readonly stop: () => Promise<void>;
};

const LOOK_EVERY_MS = 1_000;

/**
 * A backup holds the store as it was at one moment; servers go on working. While it is made, the copy needs as much
 * room in the data directory as the store has content.
 */
export function startBackup({ config, madeAt, seal, target, onCopied }: Backup): BackupRun {
  refuseImpossible(config);
  if (target.kind === "place") openPlace(config.backup, target.to);
  const folder = workFolder(config.data.dir, "backup");
  const thread = packingThread("The backup");
  const look = setInterval(() => onCopied?.(sizeOf(join(folder, DATABASE))), LOOK_EVERY_MS);
  const ended = async () => {
    clearInterval(look);
    await thread.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const done = thread.ask<Manifest>({ kind: "backup", config, madeAt, folder, seal, target }).finally(ended);
  return { done, stop: () => thread.close() };
}

/** @throws Error if there is no store, or no room for the copy */
function refuseImpossible(config: Config): void {
  const file = databaseFile(config);
  mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  if (file === null) return;
  if (!isThere(file)) throw new Error(`There is no database ${file}. Name its directory with --data DIR.`);
  refuseWithoutRoom(config.data.dir, sizeOf(file), "A backup needs up to");
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
