// The ports that the service will listen on: their present holders are named before anything is installed.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isIP } from "node:net";
import { CONFIG_FILE } from "./plan.ts";

/** An address of this machine, or the unspecified one, and a port. */
export type PortAddress = { readonly host: string; readonly port: number };

/** @throws Error with the process that holds a port; the service itself may hold it, as it is about to be replaced */
export function refuseTaken(places: readonly PortAddress[]): void {
  const taken = places.flatMap((place) => {
    const holder = holderOf(place);
    return holder === null || holder.name.startsWith("posthorn")
      ? []
      : [`port ${place.port} by ${holder.name} (process ${holder.pid})`];
  });
  if (taken.length === 0) return;
  throw new Error(
    `Ports of the service are held: ${taken.join(", ")}. Stop what holds them, or choose other ports in ${CONFIG_FILE}. Nothing was installed.`,
  );
}

/** The process that listens on the port, if the two would collide; null = none is visible. */
export function holderOf(place: PortAddress): { readonly pid: number; readonly name: string } | null {
  const sockets = new Set(["tcp", "tcp6"].flatMap((table) => listenersIn(`/proc/net/${table}`, place)));
  if (sockets.size === 0) return null;
  const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && holdsOne(name, sockets));
  return pid === undefined ? null : { pid: Number(pid), name: textOrEmpty(`/proc/${pid}/comm`).trim() };
}

/** Columns of the table: number, local address, remote address, state (0A: it listens), …, the number of the socket. */
function listenersIn(table: string, { host, port }: PortAddress): string[] {
  const rows = textOrEmpty(table)
    .split("\n")
    .slice(1)
    .map((row) => row.trim().split(/\s+/));
  return rows
    .filter(([, local = "", , state]) => {
      const [address = "", at = ""] = local.split(":");
      return state === "0A" && Number.parseInt(at, 16) === port && meet(address, host);
    })
    .map((row) => `socket:[${row[9]}]`);
}

const OF_ALL = new Set(["0.0.0.0", "::"]);

/**
 * Whether an address of the table, in words of four bytes, the last first, and one of the configuration collide; a name
 * may be any address.
 */
function meet(held: string, wanted: string): boolean {
  const there = addressOf(held);
  return OF_ALL.has(there) || OF_ALL.has(wanted) || isIP(wanted) === 0 || there === wanted || there === "?";
}

/** For IPv6, only the unspecified address, loopback and mapped IPv4 are told apart: "?" may be any. */
function addressOf(held: string): string {
  const isMapped = held.startsWith("0000000000000000FFFF0000");
  if (held.length === 8 || isMapped) return Buffer.from(held.slice(-8), "hex").reverse().join(".");
  if (/^0+$/.test(held)) return "::";
  return held === `${"0".repeat(24)}01000000` ? "::1" : "?";
}

function holdsOne(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((name) => sockets.has(linkOf(`${folder}/${name}`)));
  } catch {
    // The process has ended, or belongs to another user.
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

function textOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
