// Whether mail to a domain finds a host (RFC 5321 §5.1).
import type { Resolver } from "../../dns.ts";
import { missing, OK, quoted, wrong, type Finding } from "./finding.ts";

/** Each host is asked for its addresses; nobody needs more. */
const MOST_HOSTS = 10;

/** @throws DnsError if that cannot be found out */
export async function checkMx(resolver: Resolver, name: string): Promise<Finding> {
  const hosts = (await resolver.find(name, "MX")).records;
  if (hosts.length === 0) return missing(`There is no MX record at ${name}: what bounces there is lost.`);
  if (hosts.includes(".")) return wrong(`The MX record at ${name} says that the domain takes no mail (RFC 7505).`);
  for (const host of hosts.slice(0, MOST_HOSTS)) {
    if (!(await hasAddress(resolver, host))) return wrong(`The host ${quoted(host)} of the MX record has no address.`);
  }
  return OK;
}

async function hasAddress(resolver: Resolver, host: string): Promise<boolean> {
  const [v4, v6] = await Promise.all([resolver.find(host, "A"), resolver.find(host, "AAAA")]);
  return v4.records.length > 0 || v6.records.length > 0;
}
