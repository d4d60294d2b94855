// What the verbs about sender domains need to look at one.
import { systemClock } from "../clock.ts";
import { identitiesFor } from "../delivery/identities.ts";
import { systemResolver } from "../dns.ts";
import { createLog } from "../log.ts";
import { loadSecrets } from "../secrets.ts";
import { surroundingsOf } from "../workspaces/domains/dns-records.ts";
import type { DomainHouse } from "../workspaces/domains/check.ts";
import type { Shown } from "../workspaces/domains/record.ts";
import type { Place } from "./beside.ts";

export function domainHouse({ store, config }: Omit<Place, "log">): DomainHouse {
  return {
    ...shownIn({ config }),
    store,
    clock: systemClock,
    // What happens is told by the verb itself.
    log: createLog({ level: "error", format: "text", clock: systemClock, write: () => undefined }),
    // Asked for only where a service has to be told of a key.
    get secrets() {
      return loadSecrets(config.secrets.key, config.data.dir);
    },
    resolver: systemResolver(config.dns.servers),
    identities: identitiesFor(config),
    looks: new Map(),
  };
}

export function shownIn({ config }: Pick<Place, "config">): Shown {
  const graceMs = config.delivery.domainGraceSeconds * 1000;
  return {
    around: surroundingsOf(config),
    graceMs,
    service: config.delivery.transport === "ses" ? "Amazon SES" : null,
  };
}
