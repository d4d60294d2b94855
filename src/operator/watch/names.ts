// The names of this server in the DNS: its own, the reverse ones of the addresses from which email leaves, and the
// return path.
import { isIP } from "node:net";
import { ownName, type Config } from "../../base/config.ts";
import type { WaySettings } from "../../base/config/ways.ts";
import type { Resolver } from "../../base/dns.ts";
import { addressesOf, mailHostsOf, reverseNamesOf } from "./answers.ts";
import type { WatchObservation } from "./seen.ts";

const OURS = { by: "", domain: null } as const;

/** True if others can resolve the name. */
export function isPublicName(name: string): boolean {
  return isIP(name) === 0 && name.includes(".") && !/(^|\.)localhost$/.test(name);
}

/** `ways`: by which email leaves. */
export type NameWatchOptions = {
  readonly config: Config;
  readonly ways: readonly WaySettings[];
  readonly resolver: Resolver;
};

export async function lookAtNames(named: NameWatchOptions): Promise<readonly WatchObservation[]> {
  const { config, resolver } = named;
  const name = ownName(config);
  const own = isPublicName(name) ? await addressesOf(resolver, name) : null;
  const sending = await sendingAddresses(named);
  return [
    ...(own === null ? [] : [addressSeen(name, own)]),
    ...(isPublicName(name) ? await Promise.all(sending.map((one) => lookAtReverse(resolver, name, one))) : []),
    ...(await lookAtReturnPath(config, resolver)),
  ];
}

function addressSeen(subject: string, addresses: readonly string[]): WatchObservation {
  return { ...OURS, aspect: "ADDRESS", subject, state: addresses.length > 0 ? "OK" : "WRONG", detail: null };
}

/**
 * The addresses from which email reaches its recipients: those of [watch], or those of our own name where a way uses a
 * mail server on this machine. The addresses of other relays are their operators' responsibility.
 */
export async function sendingAddresses({ config, ways, resolver }: NameWatchOptions): Promise<readonly string[]> {
  if (config.watch.addresses.length > 0) return config.watch.addresses;
  const name = ownName(config);
  const isHere = ways.some(({ kind, relay }) => kind === "smtp" && isThisMachine(relay.host ?? "", name));
  return isHere && isPublicName(name) ? ((await addressesOf(resolver, name)) ?? []) : [];
}

function isThisMachine(host: string, name: string): boolean {
  return host === name || host === "localhost" || /^127\./.test(host) || host === "::1";
}

/** Large receivers require both directions. */
async function lookAtReverse(resolver: Resolver, by: string, subject: string): Promise<WatchObservation> {
  const names = await reverseNamesOf(resolver, subject);
  const seen = { aspect: "REVERSE_NAME", subject, by, domain: null } as const;
  if (names === null) return { ...seen, state: "UNKNOWN", detail: null };
  const isRight = names.includes(by) || (await leadsBack(resolver, names, subject));
  return { ...seen, state: isRight ? "OK" : "WRONG", detail: isRight ? null : (names[0] ?? null) };
}

/** Another name is as good if it leads back to the address. */
async function leadsBack(resolver: Resolver, names: readonly string[], address: string): Promise<boolean> {
  const [name] = names;
  return name !== undefined && ((await addressesOf(resolver, name)) ?? []).includes(address);
}

async function lookAtReturnPath(
  { delivery, smtp, http }: Config,
  resolver: Resolver,
): Promise<readonly WatchObservation[]> {
  const subject = delivery.returnPathDomain;
  if (subject === null || ["ses", "graph"].includes(delivery.transport)) return [];
  const seen = { ...OURS, aspect: "RETURN_PATH", subject } as const;
  const hosts = await mailHostsOf(resolver, subject);
  if (hosts === null) return [{ ...seen, state: "UNKNOWN", detail: null }];
  const own = ownName({ smtp, http } as Config);
  const isHere = hosts.includes(own) || (await shareAddress(resolver, hosts, own));
  if (hosts.length > 0 && isHere !== false) return [{ ...seen, state: isHere ? "OK" : "UNKNOWN", detail: null }];
  return [{ ...seen, state: "WRONG", detail: hosts.length === 0 ? null : hosts.join(", ") }];
}

/** Null = it cannot be known now. */
async function shareAddress(resolver: Resolver, hosts: readonly string[], own: string): Promise<boolean | null> {
  const all = await Promise.all([own, ...hosts.slice(0, 10)].map((one) => addressesOf(resolver, one)));
  const [ours, ...theirs] = all;
  if (!ours || ours.length === 0) return null;
  return theirs.some((some) => some?.some((address) => ours.includes(address)));
}
