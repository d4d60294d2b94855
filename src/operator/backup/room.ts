// The backup room: scheduled backups, and the stream of changes between them.
import type { Ground, Room } from "../../ground/ground.ts";
import { hourly } from "../../base/jobs/loops.ts";
import { openPlace } from "./place.ts";
import { Schedule } from "./schedule.ts";
import type { StreamState } from "./stream/follower.ts";
import { LogStream } from "./stream/stream.ts";

/** `stream` null: nothing is shipped. */
export type BackupRoom = Room & { readonly stream: BackupStream | null };
export type BackupStream = {
  readonly state: () => Promise<StreamState>;
  readonly isRefused: () => boolean;
  readonly prune: () => Promise<number>;
};

/**
 * @throws Error if the operator has named a bucket and there are no credentials for it; of an owner's, each backup
 * fails
 */
export async function openBackup(ground: Ground): Promise<BackupRoom> {
  const { backup } = ground.settings.given.config;
  for (const place of [backup.to, backup.stream]) if (place !== null) openPlace(backup, place);
  const stream = await openStream(ground);
  const pruning =
    stream === null
      ? []
      : [{ ...hourly("deleting old parts of the stream", Infinity, stream.prune), mayTakeLong: true as const }];
  const schedule = new Schedule(ground);
  return { loops: [schedule.loop, ...pruning], stop: () => schedule.stop(), stream };
}

/** The stream ends with the store, after the last change. */
async function openStream(ground: Ground): Promise<BackupStream | null> {
  if (ground.config.backup.stream === null) return null;
  const stream = new LogStream(ground);
  ground.store.followedBy(stream);
  await stream.begin();
  return { state: () => stream.state(), isRefused: () => stream.isRefused, prune: () => stream.prune() };
}
