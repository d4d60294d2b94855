// The overview room: the first page of a workspace's people.
import type { Config } from "../../base/config.ts";
import type { RelayState } from "../../sending/open-ways/way-choice.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { BounceWay } from "./overview.ts";
import { overviewRoutes } from "./routes.ts";

export function openOverview({ config }: Ground, access: Access, relay: () => RelayState): Room {
  return { routes: [overviewRoutes(access, { relay, config, bounces: () => bounceWay(config) })] };
}

function bounceWay({ delivery }: Config): BounceWay {
  if (["ses", "graph"].includes(delivery.transport)) return null;
  return delivery.returnPathDomain === null ? null : "return path";
}
