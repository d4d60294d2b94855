// What the verbs about sender domains need to look at one and to show it.
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { identitiesFor } from "../delivery/identities.ts";
import { systemResolver } from "../dns.ts";
import { createLog } from "../log.ts";
import { loadSecrets } from "../secrets.ts";
import { recordSettings } from "../workspaces/domains/dns-records.ts";
import type { DomainContext } from "../workspaces/domains/check.ts";
import type { Shown } from "../workspaces/domains/record.ts";
import type { Place } from "./beside.ts";

export function domainContext({ store, config }: Pick<Place, "store" | "config">): DomainContext {
  const { settings, graceMs } = shownIn(config);
  return {
    settings,
    graceMs,
    store,
    clock: systemClock,
    // What happens is told by the verb itself.
    log: createLog({ level: "error", format: "text", clock: systemClock, write: () => undefined }),
    // Read only where a service has to be told of a key.
    get secrets() {
      return loadSecrets(config.secrets.key, config.data.dir);
    },
    resolver: systemResolver(config.dns.servers),
    identities: identitiesFor(config),
    looks: new Map(),
  };
}

export function shownIn(config: Config): Shown {
  return {
    settings: recordSettings(config),
    graceMs: config.delivery.domainGraceSeconds * 1000,
    service: identitiesFor(config)?.service ?? null,
  };
}
