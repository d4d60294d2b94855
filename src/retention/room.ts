// The retention room: deletes what is older than it is to be kept (docs/operate/retention.md).
import type { Ground, Room } from "../ground.ts";
import type { KindName } from "./kinds.ts";
import { PruneLoop } from "./loop.ts";

export type PrunedRows = () => ReadonlyMap<KindName, number>;

/** `prunedRows`: how many rows of each kind this process has deleted since it started. */
export function openRetention({ config, store, clock, log }: Ground): Room & { readonly prunedRows: PrunedRows } {
  const loop = new PruneLoop({ store, clock, log, days: config.retention });
  return {
    prunedRows: () => loop.pruned,
    loops: [{ name: "pruning what is old", step: () => loop.step() }],
  };
}
