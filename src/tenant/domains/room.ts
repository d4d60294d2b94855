// The domains room: sender domains, their keys, and the checks of their DNS records.
import type { Access } from "../access/auth.ts";
import { boundedResolver } from "../../base/dns/bounded.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { fetchTextWithin, type FetchText } from "../../http/fetch-text.ts";
import { WAYS_CHANGED, type Way } from "../../ground/ways/list.ts";
import { watchStep, type WayLookup, type DomainContext, type Identities } from "./check.ts";
import { NewWays } from "./new-ways.ts";
import { recordSettings } from "./dns-records.ts";
import { recallLooks } from "./queries.ts";
import { domainRoutes, type IsProviders } from "./routes.ts";
import { LOOK_OFTEN_MS } from "../../base/jobs/due.ts";

/** Concurrent questions in checks of sender domains; each has a socket open. */
const MAX_DOMAIN_LOOKUPS = 100;

/** RFC 8461 §3.2: a policy has at most 64 KB, and is fetched without redirects. */
export const POLICY_FETCH = fetchTextWithin({ timeoutMs: 5_000, bytes: 64 * 1024 });

/** The names of the ways by which email leaves. */
export function namesOf(ways: readonly Pick<Way, "name" | "kind">[]): readonly string[] {
  return ways.filter(({ kind }) => kind !== "capture").map(({ name }) => name);
}

/** `identities`: sender domains as the next hop of now knows them; null = only the DNS is queried. */
export function openDomains(
  ground: Ground,
  access: Access,
  {
    identities,
    atWays = null,
    fetchText = POLICY_FETCH,
    isProviders,
  }: {
    readonly identities: () => Identities | null;
    readonly atWays?: WayLookup | null;
    readonly fetchText?: FetchText | undefined;
    readonly isProviders: IsProviders;
  },
): Room {
  const { config, clock, resolver, ways } = ground;
  const domains: DomainContext = {
    ...ground,
    resolver: boundedResolver(resolver, MAX_DOMAIN_LOOKUPS),
    get settings() {
      return recordSettings(config, ways.used);
    },
    get wayNames() {
      return namesOf(ways.used);
    },
    get graceMs() {
      return config.delivery.domainGraceSeconds * 1000;
    },
    get identities() {
      return identities();
    },
    atWays,
    fetchText,
    looks: new Map(),
  };
  const newWays = new NewWays(ground, atWays);
  return {
    recall: recallLooks,
    routes: [domainRoutes(access, domains, isProviders)],
    loops: [
      { name: "checking sender domains", step: () => watchStep(domains, clock) },
      {
        name: "looking for new ways out",
        step: () => newWays.step(),
        wokenBy: WAYS_CHANGED,
        lookEveryMs: LOOK_OFTEN_MS,
      },
    ],
    close: () => void atWays?.close(),
  };
}
