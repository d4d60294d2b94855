// The retention room: deletes what is older than it is to be kept (docs/operate/retention.md).
import type { Ground, Room } from "../ground.ts";
import { PRUNED } from "../jobs/loops.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { PruneLoop } from "./loop.ts";

export function openRetention({ config, store, clock, log }: Ground): Room {
  const loop = new PruneLoop({ store, clock, log, days: config.retention });
  return {
    loops: [{ name: "pruning what is old", step: (metrics) => pruned(loop, metrics) }],
  };
}

async function pruned(loop: PruneLoop, metrics: Metrics): Promise<number> {
  const restMs = await loop.step();
  for (const [kind, rows] of loop.pruned) metrics.set(PRUNED, rows, `old ${kind}`);
  return restMs;
}
