// The backup room: backups by schedule, and the stream of what changes between them.
import type { Ground, Room } from "../ground.ts";
import { Schedule } from "./schedule.ts";
import type { StreamState } from "./stream/follower.ts";
import { LogStream } from "./stream/stream.ts";

export type BackupRoom = Room & { readonly streamState: (() => Promise<StreamState>) | null };

export function openBackup(ground: Ground): BackupRoom {
  const { everySeconds } = ground.config.backup;
  const streamState = openStream(ground);
  if (everySeconds === null) return { streamState };
  const schedule = new Schedule(ground, everySeconds * 1000);
  return { loops: [schedule.loop], stop: () => schedule.stop(), streamState };
}

/** It ends with the store, after the last change. */
function openStream(ground: Ground): BackupRoom["streamState"] {
  if (ground.config.backup.stream === null) return null;
  const stream = new LogStream(ground);
  ground.store.followedBy(stream);
  void stream.catchUp();
  return () => stream.state();
}
