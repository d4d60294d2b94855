// The load of this process on its machine, and the delay of its event loop.
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { readdirSync } from "node:fs";
import type { Clock } from "../../base/clock.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import { counter, gauge, histogram } from "../../base/metrics/metric.ts";
import type { Metrics } from "../../base/metrics/metrics.ts";

const RESIDENT = gauge("process_resident_memory_bytes", "Memory that the process holds.");
const CPU = counter("process_cpu_seconds_total", "Processor time that the process has used.");
const OPEN_FILES = gauge("process_open_fds", "Open files and connections.");
const DELAY = histogram(
  "posthorn_event_loop_delay_seconds",
  "How much later than asked for the event loop came round, twice a second.",
  [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
);

const LOOK_EVERY_MS = 500;

export function measureProcess(metrics: Metrics): void {
  const { user, system } = process.cpuUsage();
  metrics.set(RESIDENT, process.memoryUsage.rss());
  metrics.set(CPU, (user + system) / 1_000_000);
  const files = openFiles();
  if (files !== null) metrics.set(OPEN_FILES, files);
}

/** Null where the system does not tell. */
function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}

/** Rests for half a second and sees how long that took. */
export function watchingDelay(clock: Clock): LoopSpec {
  let dueMs: number | null = null;
  const step: LoopSpec["step"] = async (metrics) => {
    const nowMs = clock.monotonicMs();
    if (dueMs !== null && nowMs >= dueMs) metrics.observe(DELAY, (nowMs - dueMs) / 1000);
    dueMs = nowMs + LOOK_EVERY_MS;
    return NOTHING_DUE;
  };
  return { name: "watching the event loop", step, lookEveryMs: LOOK_EVERY_MS };
}
