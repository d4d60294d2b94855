// What the figures were measured on.
import { closeSync, fsyncSync, openSync, readFileSync, statfsSync, unlinkSync, writeSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { latencies } from "./statistics.ts";

export type Machine = {
  readonly cores: number;
  readonly processor: string;
  readonly bun: string;
  readonly fileSystem: string;
  /** One block of 4 KiB, written and synced. */
  readonly syncP50Ms: number;
  /**
   * Share of the last ten seconds in which something waited for a processor, before the run; null where nobody counts.
   */
  readonly busyPercent: number | null;
};

const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: "ext4",
  0x58465342: "xfs",
  0x9123683e: "btrfs",
  0x01021994: "tmpfs (not a disk: nothing here is durable)",
  0x794c7630: "overlayfs",
};

export function machine(dir: string): Machine {
  const type = statfsSync(dir).type;
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? "unknown",
    bun: Bun.version,
    fileSystem: FILE_SYSTEMS[type] ?? `0x${type.toString(16)}`,
    syncP50Ms: syncMs(join(dir, "sync.probe")),
    busyPercent: busyPercent(),
  };
}

function syncMs(file: string): number {
  const descriptor = openSync(file, "w");
  const block = Buffer.alloc(4096);
  const tookMs = Array.from({ length: 200 }, () => {
    const startedMs = performance.now();
    writeSync(descriptor, block);
    fsyncSync(descriptor);
    return performance.now() - startedMs;
  });
  closeSync(descriptor);
  unlinkSync(file);
  return latencies(tookMs).p50;
}

function busyPercent(): number | null {
  try {
    return Number(/avg10=([\d.]+)/.exec(readFileSync("/proc/pressure/cpu", "utf8"))?.[1]);
  } catch {
    return null;
  }
}
