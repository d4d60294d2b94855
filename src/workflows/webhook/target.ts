// Where a webhook may go: a name is looked up once, what it stands for is checked, and the connection goes to just that.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isWithin } from "../../ip-addresses.ts";
import { ownAddresses, type Interfaces } from "./own-addresses.ts";
import { isPublicAddress } from "./public-address.ts";

/** The addresses of a host, as the machine itself would look them up. @throws if there are none */
export type LookUp = (host: string) => Promise<readonly string[]>;

/** As every program on the machine finds hosts, so that names of containers and of /etc/hosts are known. */
export async function machineLookUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

export type TargetRules = {
  /** `host` or `host:port` that are open whatever their address. */
  readonly allow: readonly string[];
  readonly lookUp: LookUp;
  /** Those of this machine. */
  readonly interfaces: Interfaces;
};

type Target =
  { readonly addresses: readonly string[] } | { readonly refused: string } | { readonly unreachable: string };

/** Answers nothing that was not checked. */
export async function targetOf(url: URL, { allow, lookUp, interfaces }: TargetRules): Promise<Target> {
  const host = hostOf(url);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { refused: "Only http and https can be called." };
  if (url.username !== "" || url.password !== "") return { refused: "A URL with a user name is not called." };
  const closedPort = closedPortOf(url, allow);
  if (closedPort !== null) return { refused: closedPort };
  const addresses = isIP(host) === 0 ? await lookUp(host).catch(() => []) : [host];
  if (addresses.length === 0) return { unreachable: `${host} has no address.` };
  if (isAllowed(url, allow)) return { addresses };
  if (!addresses.every(isPublicAddress))
    return { refused: `${host} is not on the public internet; [webhooks] allow opens it.` };
  const own = ownAddresses(interfaces);
  if (!addresses.some((address) => isWithin(own, address))) return { addresses };
  return { refused: `${host} is this machine or in its subnet; [webhooks] allow opens it.` };
}

/** Why no webhook goes to the port of this URL, whatever its host turns out to be; null if one may. */
export function closedPortOf(url: URL, allow: readonly string[]): string | null {
  const port = portOf(url);
  if (port === 0) return "Port 0 cannot be called.";
  if (port >= 1024 || port === 80 || port === 443 || isAllowed(url, allow)) return null;
  return `Webhooks do not call port ${port}: below 1024 only 80 and 443 are open. [webhooks] allow opens others.`;
}

function isAllowed(url: URL, allow: readonly string[]): boolean {
  const host = hostOf(url);
  return allow.includes(host) || allow.includes(`${host}:${portOf(url)}`);
}

function portOf({ protocol, port }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function hostOf({ hostname }: URL): string {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return bare.replace(/\.$/, "");
}
