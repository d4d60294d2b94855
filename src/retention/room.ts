// The retention room: deletes what is older than it is to be kept (docs/operate/retention.md).
import type { Ground, Room } from "../ground.ts";
import { PruneLoop } from "./loop.ts";

export function openRetention({ config, store, clock, log }: Ground): Room {
  const loop = new PruneLoop({ store, clock, log, days: config.retention });
  return { loops: [{ name: "pruning what is old", step: loop.step, goesByDate: true }] };
}
