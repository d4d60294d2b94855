// The retention room: deletes rows past their retention (docs/operate/retention.md).
import type { Ground, Room } from "../../ground/ground.ts";
import { pruning } from "./loop.ts";

export function openRetention({ config, store, clock, log }: Ground): Room {
  return { loops: [pruning({ store, clock, log, days: config.retention })] };
}
