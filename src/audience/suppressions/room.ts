// The suppressions room: addresses and domains that get no mail, and the loop that lifts ended suppressions.
import type { Access } from "../../tenant/access/auth.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { restUntil } from "../../base/jobs/due.ts";
import { nextEnd } from "./queries.ts";
import { suppressionRoutes } from "./routes.ts";
import { liftEnded } from "./suppression.ts";

/** Suppressions lifted in one transaction. */
const MOST_AT_ONCE = 200;

export function openSuppressions({ store, clock }: Ground, access: Access): Room {
  const step = async () => {
    const restMs = restUntil(await store.read(nextEnd), clock.nowMs());
    if (restMs > 0) return restMs;
    await store.write((tx) => liftEnded(tx, MOST_AT_ONCE));
    return 0;
  };
  return {
    routes: [suppressionRoutes(access)],
    loops: [{ name: "lifting suppressions", step, goesByDate: true }],
  };
}
