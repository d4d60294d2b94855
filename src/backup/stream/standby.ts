// A warm copy on a second machine: brought forward as segments come, and put in place when the first one is gone.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "../../clock.ts";
import { giveToOwnerOf, writePrivate } from "../../private-files.ts";
import { lockFile } from "../../store/sqlite-connection.ts";
import type { Opener } from "../archive.ts";
import { DATABASE } from "../contents.ts";
import type { Place } from "../place.ts";
import { moveFile, PARTS, restoreFrom, type Restore, type Restored } from "../restore.ts";
import { lastAlive, ownerOf, ownId, sayFollowing, takeOver } from "./owner.ts";
import { replay, type Position } from "./replay.ts";
import { snapshotFor, unpackSnapshot } from "./restore-stream.ts";

export type StandbyOptions = { readonly place: Place; readonly opener: Opener; readonly dataDir: string };

/** `to`: the first segment with which the copy is whole. */
type State = { readonly to: number; readonly key: string | null; readonly position: Position };

/** `reached`: everything until then is in the copy; "" = it is not whole yet. `fault`: why it does not go on, in words; null = it does. */
export type Progress = { readonly reached: string; readonly fault: string | null };

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
    const { dataDir } = options;
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    this.#folder = join(dataDir, "standby");
    const unlock = lockFile(`${this.#folder}.lock`);
    if (!unlock) throw new Error(`A posthorn standby is at work in ${dataDir}. Stop it first.`);
    this.#unlock = unlock;
  }

  [Symbol.dispose](): void {
    this.#unlock();
    giveToOwnerOf(this.options.dataDir, [this.#folder, `${this.#folder}.lock`]);
  }

  get isThere(): boolean {
    return this.#state() !== null;
  }

  /** Brings the copy to what the place has. A newer row of segments begins with its own snapshot. @throws Error as the place says */
  async step(): Promise<Progress> {
    const newest = await snapshotFor(this.options.place, null);
    const known = this.#state();
    const isOld = known === null || known.position.generation !== newest.of.generation;
    const progress = await this.#forward(isOld ? await this.#begin(newest) : known);
    const isBehind = progress.fault !== null && newest.of.at > progress.reached;
    const last = isBehind ? await this.#forward(await this.#begin(newest)) : progress;
    await this.#saySo(last);
    return last;
  }

  /** For the server's owners. A place that may only be read is followed as well. */
  async #saySo({ reached }: Progress): Promise<void> {
    const nowMs = systemClock.monotonicMs();
    if (nowMs - this.#saidMs < SAY_SO_EVERY_MS) return;
    this.#saidMs = nowMs;
    await sayFollowing(this.options.place, reached || null, systemClock.nowMs()).catch(() => undefined);
  }

  /** Puts the copy in place. @throws as `restore` */
  putInPlace(wanted: Restore): Promise<Restored> {
    return restoreFrom(wanted, async (folder) => {
      const names = PARTS.filter((name) => existsSync(join(this.#folder, name)));
      for (const name of names) moveFile(join(this.#folder, name), join(folder, name));
      rmSync(this.#folder, { recursive: true, force: true });
      return names;
    });
  }

  async #forward({ to, key, position: from }: State): Promise<Progress> {
    const path = join(this.#folder, DATABASE);
    const { position, fault } = await replay({ place: this.options.place, key, path, from, until: null });
    if (position !== from) writePrivate(join(this.#folder, STATE), JSON.stringify({ to, key, position }));
    return { reached: position.sequence >= to ? position.at : "", fault };
  }

  async #begin(found: Awaited<ReturnType<typeof snapshotFor>>): Promise<State> {
    const { place, opener } = this.options;
    const folder = `${this.#folder}.unfinished`;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const { part, position } = await unpackSnapshot({ place, opener, found, folder });
    const state: State = { to: part.to, key: part.key, position: { ...position, at: found.of.at } };
    writePrivate(join(folder, STATE), JSON.stringify(state));
    rmSync(this.#folder, { recursive: true, force: true });
    renameSync(folder, this.#folder);
    return state;
  }

  #state(): State | null {
    const path = join(this.#folder, STATE);
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as State) : null;
  }
}

type TakeOver = { readonly place: Place; readonly dataDir: string; readonly clock: Clock; readonly isForced: boolean };

/** From here on this data directory alone ships to the place. @throws Error if the owner was there within the last ten seconds, unless forced */
export async function takeOwnership({ place, dataDir, clock, isForced }: TakeOver): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const [id, owner, alive] = [ownId(dataDir), await ownerOf(place), await lastAlive(place)];
  if (owner?.id === id) return;
  const isAlive = alive !== null && clock.nowMs() - Date.parse(alive) < ALIVE_MS;
  if (owner && isAlive && !isForced)
    throw new Error(
      `The server on ${owner.host} was there at ${alive}. Stop it first, or its mail would leave twice; if it is cut off and cannot be stopped: --force.`,
    );
  await takeOver(place, id, clock.nowMs());
}
