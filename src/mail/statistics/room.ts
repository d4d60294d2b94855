// The statistics room: counts the states of mails, and answers the counts.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { addToSums, COUNT_EVERY_MS } from "./counting.ts";
import { statisticsRoutes } from "./routes.ts";

export function openStatistics({ store }: Ground, access: Access): Room {
  return {
    routes: [statisticsRoutes(access)],
    loops: [{ name: "counting emails", step: () => addToSums(store), lookEveryMs: COUNT_EVERY_MS }],
  };
}
