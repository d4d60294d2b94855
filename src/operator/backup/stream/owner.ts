// Which data directory ships to a stream (only one, or a restore would mix two), and which standby follows it.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { iso } from "../../../base/clock.ts";
import { giveToOwnerOf, isThere, writePrivate } from "../../../base/private-files.ts";
import { TooLarge } from "../bucket.ts";
import type { BackupPlace } from "../place.ts";
import { ALIVE, OWNER, STANDBY } from "./names.ts";

export type StreamOwner = { readonly id: string; readonly host: string; readonly since: string };

/**
 * `seenAt`: the standby's last report. `reachedAt`: everything until then is in its copy; null = the copy is not whole
 * yet.
 */
export type StandbyReport = { readonly host: string; readonly seenAt: string; readonly reachedAt: string | null };

/** In the data directory; no backup holds it, so that a restored copy does not ship in place of the original. */
const OWN_ID = "stream.id";
/** The limit of each file. */
const MOST_BYTES = 4_096;

/** The id of this data directory; made at its first use. */
export function ownId(dataDir: string): string {
  const path = join(dataDir, OWN_ID);
  if (!isThere(path)) {
    writePrivate(path, `${randomBytes(16).toString("hex")}\n`);
    giveToOwnerOf(dataDir, [path]);
  }
  return readFileSync(path, "utf8").trim();
}

/** Null: no server has shipped to this destination yet. */
export async function ownerOf(place: BackupPlace): Promise<StreamOwner | null> {
  return (await jsonAt(place, OWNER)) as StreamOwner | null;
}

export async function takeOver(place: BackupPlace, id: string, nowMs: number): Promise<void> {
  await write(place, OWNER, { id, host: hostname(), since: iso(nowMs) } satisfies StreamOwner);
}

/** Writes the owner's sign of life; null: it ends in order. */
export async function sayAlive(place: BackupPlace, nowMs: number | null): Promise<void> {
  await write(place, ALIVE, { at: nowMs === null ? null : iso(nowMs) });
}

/** When the owner was last there; null: never, or it has ended in order. */
export async function lastAlive(place: BackupPlace): Promise<string | null> {
  return ((await jsonAt(place, ALIVE)) as { at: string | null } | null)?.at ?? null;
}

export async function sayFollowing(place: BackupPlace, reachedAt: string | null, nowMs: number): Promise<void> {
  await write(place, STANDBY, { host: hostname(), seenAt: iso(nowMs), reachedAt } satisfies StandbyReport);
}

/** Null: no standby has ever followed. */
export async function lastFollowing(place: BackupPlace): Promise<StandbyReport | null> {
  return (await jsonAt(place, STANDBY)) as StandbyReport | null;
}

async function jsonAt(place: BackupPlace, name: string): Promise<unknown> {
  const unreadable = (error: Error) => {
    const why = "it is damaged, or Posthorn has not written it";
    return new Error(`${name} at the place of the stream cannot be read: ${why}.`, { cause: error });
  };
  const bytes = await place.readBytes(name, MOST_BYTES).catch((error) => {
    throw error instanceof TooLarge ? unreadable(error) : error;
  });
  try {
    return bytes && JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw unreadable(error as Error);
  }
}

function write(place: BackupPlace, name: string, content: object): Promise<void> {
  return place.putBytes(name, Buffer.from(`${JSON.stringify(content)}\n`));
}
