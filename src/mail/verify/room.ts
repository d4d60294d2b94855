// The verify room: the facts that an address reveals before any mail is sent to it.
import type { Access } from "../../tenant/access/auth.ts";
import { CachingResolver } from "../../base/dns/cache.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { verifyRoutes } from "./routes.ts";

export function openVerify({ resolver, clock }: Ground, access: Access): Room {
  return { routes: [verifyRoutes(access, new CachingResolver(resolver, clock))] };
}
