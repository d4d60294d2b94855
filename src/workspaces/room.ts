// The workspaces room: who may call, keys, and sender domains.
import { boundedResolver } from "../dns/bounded.ts";
import type { Ground, Room } from "../ground.ts";
import { memoryForBodies } from "../http/body.ts";
import { ClientAddresses } from "../http/client-address.ts";
import { MINUTE_MS } from "../clock.ts";
import { SlidingLimit } from "../brakes/sliding-limit.ts";
import type { Access } from "./auth.ts";
import { Callers } from "./key-set.ts";
import { KeyUse } from "./key-use.ts";
import { watchStep, type DomainContext, type Identities } from "./domains/check.ts";
import { recordSettings } from "./domains/dns-records.ts";
import { recallLooks } from "./domains/queries.ts";
import { domainRoutes } from "./domain-routes.ts";
import type { People } from "./person.ts";
import { PublicRequests } from "./public-requests.ts";
import { keyRoutes, workspaceRoutes } from "./routes.ts";

/** Questions asked at once in checks of sender domains; each has a socket open. */
const MAX_DOMAIN_LOOKUPS = 100;

type Hooks = {
  /** Sender domains as the next hop knows them; null = only the DNS is asked. */
  readonly identities: Identities | null;
  readonly people: People;
};

export function openWorkspaces(ground: Ground, { identities, people }: Hooks): Room & { readonly access: Access } {
  const { config, clock, secrets, resolver } = ground;
  const keyUse = new KeyUse(ground);
  const access = { ...accessOf(ground, keyUse), people };
  const domains: DomainContext = {
    ...ground,
    resolver: boundedResolver(resolver, MAX_DOMAIN_LOOKUPS),
    settings: recordSettings(config),
    graceMs: config.delivery.domainGraceSeconds * 1000,
    identities,
    looks: new Map(),
  };
  return {
    access,
    recall: recallLooks,
    routes: [
      workspaceRoutes(access, secrets, config.retention),
      keyRoutes(access, secrets),
      domainRoutes(access, domains),
    ],
    loops: [
      { name: "checking sender domains", step: () => watchStep(domains, clock) },
      { name: "noting which keys are used", step: () => keyUse.step() },
    ],
    stop: () => keyUse.end(),
    close: () => void identities?.close(),
  };
}

function accessOf({ config, store, clock, log }: Ground, keyUse: KeyUse): Omit<Access, "people"> {
  const { bodyBytes, requestsPerMinute, signUpsPerMinute } = config.limits;
  const clients = new ClientAddresses(config.http.trustedProxies, log);
  return {
    store,
    clock,
    clients,
    bodyBytes,
    bodyMemory: memoryForBodies(bodyBytes),
    callers: new Callers(store, keyUse),
    requestLimit: new SlidingLimit(requestsPerMinute, MINUTE_MS),
    publicRequests: new PublicRequests({ clock, clients, signUpsPerMinute, requestsPerMinute }),
  };
}
