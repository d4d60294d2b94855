// The access room: callers and key sets.
import type { Ground, Room } from "../../ground/ground.ts";
import { memoryForBodies } from "../../http/body/body.ts";
import { ClientAddresses } from "../../http/client-address.ts";
import { MINUTE_MS } from "../../base/clock.ts";
import { SlidingLimit } from "../../base/brakes/sliding-limit.ts";
import type { Access } from "./auth.ts";
import { keyRoutes } from "./key-routes.ts";
import { Callers } from "./key-set.ts";
import { KeyUseLog } from "./key-use.ts";
import type { TeamAccess } from "./person.ts";
import { PublicRequests } from "./public-requests.ts";

export function openAccess(ground: Ground, people: TeamAccess): Room & { readonly access: Access } {
  const { config, store, clock, log, secrets } = ground;
  const { limits } = config;
  const { bodyBytes } = limits;
  const clients = new ClientAddresses(config.http.trustedProxies, log);
  const keyUse = new KeyUseLog(ground);
  const access = {
    people,
    store,
    clock,
    clients,
    bodyBytes,
    bodyMemory: memoryForBodies(bodyBytes),
    callers: new Callers(store, keyUse),
    requestLimit: new SlidingLimit(() => limits.requestsPerMinute, MINUTE_MS),
    publicRequests: new PublicRequests({ clock, clients, limits }),
  };
  return {
    access,
    routes: [keyRoutes(access, secrets)],
    loops: [{ name: "noting which keys are used", step: () => keyUse.step() }],
    stop: () => keyUse.end(),
  };
}
