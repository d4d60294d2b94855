// A warm copy on a second machine: brought forward as segments arrive, and put in place when the first machine is gone.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import { giveToOwnerOf, writePrivate } from "../../../base/private-files.ts";
import { lockFile } from "../../../store/sqlite/connection.ts";
import type { Opener } from "../archive.ts";
import { DATABASE } from "../parts.ts";
import type { BackupPlace } from "../place.ts";
import {
  manifestToRestore,
  manifestIn,
  putInPlace,
  whileStopped,
  type Restore,
  type RestoreResult,
} from "../restore.ts";
import { lastAlive, ownerOf, ownId, sayFollowing, takeOver } from "./owner.ts";
import { segmentName } from "./names.ts";
import { replay, type StreamPosition } from "./replay.ts";
import { snapshotFor, unpackSnapshot } from "./restore-stream.ts";

type StandbyOptions = { readonly place: BackupPlace; readonly opener: Opener; readonly config: Config };

/** `to`: the first segment with which the copy is whole. */
type StandbyCopy = { readonly to: number; readonly key: string | null; readonly position: StreamPosition };

/**
 * `reached`: everything until then is in the copy; "" = it is not whole yet. `fault`: why it does not go on, in words;
 * null = it does.
 */
export type StandbyProgress = { readonly reached: string; readonly fault: string | null };

type BaseSnapshot = Awaited<ReturnType<typeof snapshotFor>>;

const STATE = "standby.json";
/** The server says so every five seconds. */
const ALIVE_MS = 10_000;
const SAY_SO_EVERY_MS = 30_000;

export class Standby implements Disposable {
  readonly #folder: string;
  readonly #unlock: () => void;
  #saidMs = -Infinity;

  /** @throws Error if another process is at work on the same copy */
  constructor(private readonly options: StandbyOptions) {
    const { dir } = options.config.data;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.#folder = join(dir, "standby");
    const unlock = lockFile(`${this.#folder}.lock`);
    if (!unlock) throw new Error(`A posthorn standby is at work in ${dir}. Stop it first.`);
    this.#unlock = unlock;
  }

  [Symbol.dispose](): void {
    this.#unlock();
    giveToOwnerOf(this.options.config.data.dir, [this.#folder, `${this.#folder}.lock`]);
  }

  get isThere(): boolean {
    return existsSync(join(this.#folder, STATE));
  }

  /** How far the copy is; "" = it is not whole. */
  get reached(): string {
    const state = stateIn(this.#folder);
    return state === null ? "" : reachedIn(state);
  }

  /** The name of the last segment in it; null = there is no copy. */
  get lastPiece(): string | null {
    const state = stateIn(this.#folder);
    return state && segmentName(state.position);
  }

  /**
   * Brings the copy up to date with the destination. A newer row of segments begins with its own snapshot. @throws
   * Error as the destination says
   */
  async step(): Promise<StandbyProgress> {
    const newest = await snapshotFor(this.options.place, null);
    const known = stateIn(this.#folder);
    const isOld = known === null || known.position.generation !== newest.of.generation;
    const progress = isOld ? await this.#begin(newest) : await this.#forward(this.#folder, known);
    const isBehind = progress.fault !== null && newest.of.at > progress.reached;
    const last = isBehind && !isOld ? await this.#begin(newest) : progress;
    await this.#saySo(last);
    return last;
  }

  /** The copy may take a server's place if it is whole and sound, and its key fits. @throws as `restore` */
  async refuseUnfit(): Promise<void> {
    if (this.reached === "") throw new Error("The copy is not whole: its segments have not arrived.");
    await whileStopped(this.options.config, async () => manifestToRestore(this.options.config, this.#folder));
  }

  /** Puts a copy that was found fit in place. @throws as `restore`; the copy stays, and is followed by a new one */
  async putInPlace(wanted: Omit<Restore, "config" | "opener">): Promise<RestoreResult> {
    const { config, opener } = this.options;
    const restored = await whileStopped(config, async () => {
      const state = stateIn(this.#folder) as StandbyCopy;
      writeState(this.#folder, { ...state, position: { ...state.position, generation: "" } });
      return putInPlace({ ...wanted, config, opener }, this.#folder, manifestIn(this.#folder));
    });
    rmSync(this.#folder, { recursive: true, force: true });
    return restored;
  }

  /** For the server's owners. A destination that may only be read is followed as well. */
  async #saySo({ reached }: StandbyProgress): Promise<void> {
    const nowMs = systemClock.monotonicMs();
    if (nowMs - this.#saidMs < SAY_SO_EVERY_MS) return;
    this.#saidMs = nowMs;
    await sayFollowing(this.options.place, reached || null, systemClock.nowMs()).catch(() => undefined);
  }

  async #forward(folder: string, { to, key, position: from }: StandbyCopy): Promise<StandbyProgress> {
    const path = join(folder, DATABASE);
    const { position, fault } = await replay({ place: this.options.place, key, path, from, until: null });
    if (position !== from) writeState(folder, { to, key, position });
    return { reached: reachedIn({ to, position }), fault };
  }

  /** A whole copy is given up only for another that is whole and fit. */
  async #begin(found: BaseSnapshot): Promise<StandbyProgress> {
    const { place, opener, config } = this.options;
    const folder = `${this.#folder}.unfinished`;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const { part, position } = await unpackSnapshot({ place, opener, found, folder });
    const state: StandbyCopy = { to: part.to, key: part.key, position: { ...position, at: found.of.at } };
    writeState(folder, state);
    const progress = await this.#forward(folder, state);
    if (progress.reached !== "") manifestToRestore(config, folder);
    else if (this.reached !== "") return { reached: this.reached, fault: progress.fault ?? "its segments are missing" };
    rmSync(this.#folder, { recursive: true, force: true });
    renameSync(folder, this.#folder);
    return progress;
  }
}

function reachedIn({ to, position }: Pick<StandbyCopy, "to" | "position">): string {
  return position.sequence >= to ? position.at : "";
}

/** Null: there is no copy. @throws Error if its state cannot be read */
function stateIn(folder: string): StandbyCopy | null {
  const path = join(folder, STATE);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as StandbyCopy;
  } catch (error) {
    throw new Error(`${path} cannot be read. Delete ${folder}, and posthorn standby makes a new copy.`, {
      cause: error,
    });
  }
}

function writeState(folder: string, state: StandbyCopy): void {
  writePrivate(join(folder, STATE), JSON.stringify(state));
}

type TakeOver = {
  readonly place: BackupPlace;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly isForced: boolean;
};

/**
 * From here on this data directory alone ships to the destination. @throws Error if the owner was there within the last
 * ten seconds, unless forced
 */
export async function takeOwnership({ place, dataDir, clock, isForced }: TakeOver): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const [id, owner, alive] = [ownId(dataDir), await ownerOf(place), await lastAlive(place)];
  if (owner === null) throw new Error("There is no stream at this place.");
  if (owner.id === id) return;
  const isAlive = alive !== null && clock.nowMs() - Date.parse(alive) < ALIVE_MS;
  if (isAlive && !isForced)
    throw new Error(
      `The server on ${owner.host} was there at ${alive}. Stop it first, or its email would leave twice; if it is cut off and cannot be stopped: --force.`,
    );
  await takeOver(place, id, clock.nowMs());
}
