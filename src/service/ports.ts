// The ports that the service will listen on: who holds them is named before anything is installed.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { CONFIG_FILE } from "./plan.ts";

/** @throws Error with the process that holds one of them; the service itself may, it is about to be replaced */
export function refuseTaken(ports: readonly number[]): void {
  const taken = ports.flatMap((port) => {
    const holder = holderOf(port);
    return holder === null || holder.name.startsWith("posthorn")
      ? []
      : [`port ${port} by ${holder.name} (process ${holder.pid})`];
  });
  if (taken.length === 0) return;
  throw new Error(
    `Ports of the service are held: ${taken.join(", ")}. Stop what holds them, or choose other ports in ${CONFIG_FILE}. Nothing was installed.`,
  );
}

/** The process that listens on a port of this machine; null = none that can be seen. */
export function holderOf(port: number): { readonly pid: number; readonly name: string } | null {
  const sockets = new Set(["tcp", "tcp6"].flatMap((table) => listenersIn(`/proc/net/${table}`, port)));
  if (sockets.size === 0) return null;
  const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && holdsOne(name, sockets));
  return pid === undefined ? null : { pid: Number(pid), name: textOf(`/proc/${pid}/comm`).trim() };
}

/** Columns of the table: number, local address, remote address, state (0A: it listens), …, the number of the socket. */
function listenersIn(table: string, port: number): string[] {
  const rows = textOf(table)
    .split("\n")
    .slice(1)
    .map((row) => row.trim().split(/\s+/));
  return rows
    .filter(([, local = "", , state]) => state === "0A" && Number.parseInt(local.split(":").at(-1) ?? "", 16) === port)
    .map((row) => `socket:[${row[9]}]`);
}

function holdsOne(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((name) => sockets.has(linkOf(`${folder}/${name}`)));
  } catch {
    // It has ended, or belongs to somebody else.
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
