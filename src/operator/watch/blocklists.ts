// Queries blocklists for our addresses and sender domains, within their terms: through the operator's own name servers,
// or with a key. A query that a list would refuse is not made, and the reason is kept.
import { isIPv6 } from "node:net";
import type { Config } from "../../base/config.ts";
import { nameServers, type Resolver } from "../../base/dns.ts";
import { dnsAnswers, reversed } from "./answers.ts";
import { LISTS, publicServerIn, reasonOf, type List } from "./lists.ts";
import type { WatchObservation } from "./seen.ts";

export type BlocklistSubject = { readonly name: string; readonly domain: number | null };

type BlocklistOptions = { readonly config: Pick<Config, "watch" | "dns">; readonly resolver: Resolver };

/** A list and the zone to query; or why it is not queried. */
type BlocklistZone = { readonly list: List; readonly zone: string; readonly fault: string | null };

/** Queries each list for each of the subjects: all of them addresses, or all of them domains. */
export async function lookAtLists(
  asking: BlocklistOptions,
  of: List["of"],
  subjects: readonly BlocklistSubject[],
): Promise<readonly WatchObservation[]> {
  if (subjects.length === 0) return [];
  const lists = LISTS.filter((list) => list.of === of);
  const asked = await Promise.all(lists.map((list) => zoneOfList(asking, list)));
  const isKnown = ({ list }: BlocklistZone, { name }: BlocklistSubject) => !isIPv6(name) || list.knowsSix;
  const looks = asked.flatMap((one) =>
    subjects.filter((subject) => isKnown(one, subject)).map((subject) => lookAt(asking.resolver, one, subject)),
  );
  return Promise.all(looks);
}

/** A list with an entry that no list has was shut down, and says yes to everything (RFC 5782 §5). */
async function zoneOfList({ config, resolver }: BlocklistOptions, list: List): Promise<BlocklistZone> {
  const { spamhausKey } = config.watch;
  const isKeyed = list.keyed !== null && spamhausKey !== null;
  const zone = isKeyed ? (list.keyed?.(spamhausKey) ?? list.zone) : list.zone;
  const server = isKeyed ? null : publicServerIn(nameServers(config.dns.servers));
  if (server !== null)
    return { list, zone, fault: `not asked: ${server} answers everybody; set dns.servers to one of your own` };
  const answers = await dnsAnswers(resolver, `${list.of === "address" ? "1.0.0.127" : "invalid"}.${zone}`, "A");
  if (answers === null) return { list, zone, fault: "it does not answer" };
  const [refused] = answers.filter(list.isRefusal);
  if (refused !== undefined) return { list, zone, fault: reasonOf(refused) };
  return { list, zone, fault: answers.length > 0 ? "it lists everything, so it is not believed" : null };
}

async function lookAt(
  resolver: Resolver,
  { list, zone, fault }: BlocklistZone,
  subject: BlocklistSubject,
): Promise<WatchObservation> {
  const seen = { aspect: "BLOCKLIST", subject: subject.name, by: list.zone, domain: subject.domain } as const;
  if (fault !== null) return { ...seen, state: "UNKNOWN", detail: fault };
  const name = list.of === "address" ? reversed(subject.name) : subject.name;
  const answers = await dnsAnswers(resolver, `${name}.${zone}`, "A");
  if (answers === null) return { ...seen, state: "UNKNOWN", detail: "it does not answer" };
  const [refused] = answers.filter(list.isRefusal);
  if (refused !== undefined) return { ...seen, state: "UNKNOWN", detail: reasonOf(refused) };
  const listed = answers.filter(list.isListed);
  return { ...seen, state: listed.length > 0 ? "WRONG" : "OK", detail: listed.length > 0 ? listed.join(", ") : null };
}
