// The backlog of pruning, as a figure.
import type { Ground } from "../../ground/ground.ts";
import { gauge } from "../../base/metrics/metric.ts";
import type { Reader } from "../../store/store.ts";
import { KINDS } from "./kinds.ts";
import { cutoff } from "./prune.ts";
import { firstAhead } from "./queries.ts";

const BACKLOG = gauge(
  "posthorn_retention_backlog_seconds",
  "For how long the oldest row has been due for deletion that pruning has not reached; 0 = none is.",
  "what",
);

/** Reads one row of each workspace and kind, by index. */
export async function measureBacklog(
  reader: Reader,
  { metrics, clock, config }: Pick<Ground, "metrics" | "clock" | "config">,
): Promise<void> {
  for (const kind of KINDS) {
    const lateMs = (await firstAhead(reader, kind)).map(({ oldestAt, ...workspace }) => {
      const before = cutoff(clock.nowMs(), config.retention, workspace, kind);
      return before === null || oldestAt === null ? 0 : Date.parse(before) - Date.parse(oldestAt);
    });
    metrics.set(BACKLOG, Math.max(0, ...lateMs) / 1000, `old ${kind.name}`);
  }
}
