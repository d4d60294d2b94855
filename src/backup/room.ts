// The backup room: backups by schedule.
import type { Ground, Room } from "../ground.ts";
import { Schedule } from "./schedule.ts";

export function openBackup(ground: Ground): Room {
  const { everySeconds } = ground.config.backup;
  if (everySeconds === null) return {};
  const schedule = new Schedule(ground, everySeconds * 1000);
  return { loops: [schedule.loop], stop: () => schedule.stop() };
}
