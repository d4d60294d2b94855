// What all processes of a peer take: processor time, that of processes that have ended too, and memory, in which pages
// that several share count once. Linux counts the time for a group of processes (cgroup 2), so this takes root.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SAMPLE_MS = 200;

/** Where groups of processes are; null = this machine has none. */
export const GROUPS = /^\S+ (\S+) cgroup2 /m.exec(readIfThere("/proc/mounts"))?.[1] ?? null;

/** Puts a process and those that it has started into a group of their own. */
export function ownGroup(pid: number): string {
  const group = join(GROUPS ?? "", `posthorn-bench-${pid}`);
  mkdirSync(group);
  for (const member of family(pid)) writeFileSync(join(group, "cgroup.procs"), String(member));
  return group;
}

/** The group that a container is in. */
export function groupOf(pid: number): string {
  return join(GROUPS ?? "", /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "");
}

/** Ends what is still in a group of `ownGroup`, and removes it. */
export async function endGroup(group: string): Promise<void> {
  writeFileSync(join(group, "cgroup.kill"), "1");
  while (membersOf(group).length > 0) await Bun.sleep(20);
  rmdirSync(group);
}

export type Usage = { readonly cpuSeconds: number; readonly peakMb: number };

/** What the groups take while something is done. */
export async function usageOf(groups: readonly string[], work: () => Promise<void>): Promise<Usage> {
  let peakMb = memoryMb(groups);
  const timer = setInterval(() => (peakMb = Math.max(peakMb, memoryMb(groups))), SAMPLE_MS);
  const before = cpuSeconds(groups);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { cpuSeconds: cpuSeconds(groups) - before, peakMb };
}

function cpuSeconds(groups: readonly string[]): number {
  const spent = (group: string) =>
    Number(/^usage_usec (\d+)/m.exec(readFileSync(join(group, "cpu.stat"), "utf8"))?.[1]);
  return groups.reduce((sum, group) => sum + spent(group), 0) / 1_000_000;
}

function memoryMb(groups: readonly string[]): number {
  const share = (pid: number) => Number(/^Pss: +(\d+)/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
  return groups.flatMap(membersOf).reduce((sum, pid) => sum + share(pid), 0) / 1024;
}

function membersOf(group: string): number[] {
  return numbersIn(readFileSync(join(group, "cgroup.procs"), "utf8"));
}

function family(pid: number): number[] {
  return [pid, ...numbersIn(readIfThere(`/proc/${pid}/task/${pid}/children`)).flatMap(family)];
}

function numbersIn(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** Empty if it is not there: a process may have ended. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
