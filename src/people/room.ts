// The people room: one person as all other rooms know them.
import type { Ground, Room } from "../ground.ts";
import type { Access } from "../workspaces/auth.ts";
import type { ContentOf } from "./export.ts";
import { peopleRoutes } from "./routes.ts";

export function openPeople({ config, secrets }: Ground, access: Access, contentOf: ContentOf): Room {
  const returnPath = { secrets, returnPathDomain: config.delivery.returnPathDomain };
  return { routes: [peopleRoutes(access, { returnPath, contentOf })] };
}
