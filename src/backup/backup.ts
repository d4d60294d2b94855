// Making a backup beside a running server: a thread copies the store, packs the copy and writes the archive.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { WorkerThread } from "../jobs/worker-thread.ts";
import { databaseFile } from "../store/open.ts";
import type { Seal } from "./archive.ts";
import type { BackupRequest, Target } from "./backup-worker.ts";
import { DATABASE, type Manifest } from "./contents.ts";

export type Backup = {
  readonly config: Config;
  /** The moment that it will hold. */
  readonly madeAt: string;
  readonly seal: Seal;
  readonly target: Target;
  /** Hears every second how many bytes of the copy are there. */
  readonly onCopied?: (bytes: number) => void;
};

export type Making = {
  /** @throws Error in plain words; then nothing is left behind */
  readonly done: Promise<Manifest>;
  readonly stop: () => Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
/** Folders of copies that are being made. */
const WORK = "backup-in-work-";

/**
 * A backup holds the store as it was at one moment; servers go on working. While it is made, the copy needs as much room in the
 * data directory as the store has content.
 */
export function startBackup({ config, madeAt, seal, target, onCopied }: Backup): Making {
  refuseImpossible(config);
  const folder = mkdtempSync(join(config.data.dir, `${WORK}${process.pid}-`));
  const thread = new WorkerThread<BackupRequest | null>({
    name: "The backup",
    start: () => new Worker(new URL("./backup-worker.ts", import.meta.url).href),
    opening: null,
  });
  const look = setInterval(() => onCopied?.(sizeOf(join(folder, DATABASE))), LOOK_EVERY_MS);
  const ended = async () => {
    clearInterval(look);
    await thread.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const done = thread.ask<Manifest>({ config, madeAt, folder, seal, target }).finally(ended);
  return { done, stop: () => thread.close() };
}

/** Copies that killed processes have left. This process may be making none. */
export function removeLeftovers({ data }: Config): void {
  for (const name of readdirSync(data.dir).filter((one) => one.startsWith(WORK) && !isOfAnother(one)))
    rmSync(join(data.dir, name), { recursive: true, force: true });
}

/** A process that is alive may be at work in its folder. */
function isOfAnother(folder: string): boolean {
  const pid = Number(folder.slice(WORK.length).split("-")[0]);
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/** @throws Error if there is no store, or no room for the copy */
function refuseImpossible(config: Config): void {
  const file = databaseFile(config);
  mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  if (file === null) return;
  if (!existsSync(file)) throw new Error(`There is no database ${file}. Name its directory with --data DIR.`);
  const { bsize, bavail } = statfsSync(config.data.dir);
  const [needed, free] = [sizeOf(file), bsize * bavail];
  if (free > needed) return;
  const inMb = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new Error(`A backup needs up to ${inMb(needed)} in ${config.data.dir}, where ${inMb(free)} are free.`);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
