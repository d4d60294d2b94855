// Whether mail to a domain arrives at this server (RFC 5321 §5.1).
import type { Resolver } from "../../../dns.ts";
import { missing, OK, quoted, wrong, type Finding } from "./finding.ts";

/** Each host is looked up; a domain has no reason for more. */
const MAX_HOSTS = 10;

type WantedHost = {
  /** The domain whose mail it is. */
  readonly name: string;
  /** The host name of this server; null = it is not configured. */
  readonly host: string | null;
  /** What it is good for, as the end of a sentence. */
  readonly purpose: string;
};

/** @throws DnsError if that cannot be found out */
export async function checkMx(resolver: Resolver, { name, host, purpose }: WantedHost): Promise<Finding> {
  const hosts = (await resolver.find(name, "MX")).records.map((one) => one.toLowerCase().replace(/(?<=.)\.$/, ""));
  if (hosts.length === 0) return missing(`There is no MX record at ${name}, ${purpose}.`);
  if (hosts.includes(".")) return wrong(`The MX record at ${name} says that the domain takes no mail (RFC 7505).`);
  const asked = hosts.slice(0, MAX_HOSTS);
  const [places, ...found] = await Promise.all([
    host === null ? Promise.resolve<readonly string[]>([]) : addressesOf(resolver, host),
    ...asked.map((one) => addressesOf(resolver, one)),
  ]);
  const without = asked.find((_, index) => found[index]?.length === 0);
  if (without !== undefined) return wrong(`The host ${quoted(without)} of the MX record has no address.`);
  if (host === null || hosts.includes(host) || found.flat().some((address) => places.includes(address))) return OK;
  return wrong(`Mail to ${name} goes to ${quoted(hosts.join(", "))} and not to ${host}, ${purpose}.`);
}

async function addressesOf(resolver: Resolver, host: string): Promise<readonly string[]> {
  const [v4, v6] = await Promise.all([resolver.find(host, "A"), resolver.find(host, "AAAA")]);
  return [...v4.records, ...v6.records];
}
