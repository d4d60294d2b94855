// Where a webhook may go: a name is looked up once, what it stands for is checked, and the connection goes to just that.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
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
};

type Target =
  { readonly addresses: readonly string[] } | { readonly refused: string } | { readonly unreachable: string };

/** Answers nothing that was not checked. */
export async function targetOf(url: URL, { allow, lookUp }: TargetRules): Promise<Target> {
  const host = hostOf(url);
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { refused: "Only http and https can be called." };
  if (url.username !== "" || url.password !== "") return { refused: "A URL with a user name is not called." };
  const isAllowed = allow.includes(host) || allow.includes(`${host}:${port}`);
  if (!isAllowed && port < 1024 && port !== 80 && port !== 443) return { refused: `Port ${port} is not called.` };
  const addresses = isIP(host) === 0 ? await lookUp(host).catch(() => []) : [host];
  if (addresses.length === 0) return { unreachable: `${host} has no address.` };
  if (isAllowed || addresses.every(isPublicAddress)) return { addresses };
  return { refused: `${host} is not on the public internet; [webhooks] allow opens it.` };
}

function hostOf({ hostname }: URL): string {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return bare.replace(/\.$/, "");
}
