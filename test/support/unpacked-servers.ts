// Mail servers that .ci/run has taken apart: where they are, and folders for the users under whom they run.
import { chmodSync, chownSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Daemon } from "./daemon.ts";

/** The packages exclude each other, so they are not installed. */
export const UNPACKED = "/var/tmp/posthorn-mail-servers";
/** For whom Debian has built Exim. */
export const EXIM_USER = "Debian-exim";

/** Whether it is there, with all libraries that it needs. */
export function runs(command: string[], env: Readonly<Record<string, string>> = {}): boolean {
  const options = { env: { ...process.env, ...env }, stdout: "ignore", stderr: "ignore" } as const;
  return existsSync(command[0] as string) && Bun.spawnSync(command, options).exitCode === 0;
}

/** Whether folders can be given to this user. */
export function mayOwn(user: string): boolean {
  return process.getuid?.() === 0 && idOf("-u", user) !== null;
}

/** A folder of the daemon that belongs to this user. */
export function ownFolder(daemon: Daemon, name: string, user: string): string {
  const path = join(daemon.folder, name);
  mkdirSync(path);
  chownSync(path, idOf("-u", user) ?? 0, idOf("-g", user) ?? 0);
  chmodSync(daemon.folder, 0o755);
  return path;
}

function idOf(which: "-u" | "-g", user: string): number | null {
  const { exitCode, stdout } = Bun.spawnSync(["id", which, user], { stderr: "ignore" });
  return exitCode === 0 ? Number(stdout.toString()) : null;
}
