// The leaving room: a workspace as one file, out of this installation and into another (docs/moving/leaving.md).
import { iso } from "../../base/clock.ts";
import { restUntil } from "../../base/jobs/due.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { leavingRoutes } from "./routes.ts";
import type { Store } from "../../store/store.ts";
import { abandonedArrivals, nextAbandoned } from "../../tenant/workspaces/arriving-queries.ts";
import { removeWorkspace } from "../installation/removal.ts";

export function openLeaving(ground: Ground, access: Access): Room {
  const { store, clock } = ground;
  const removing: LoopSpec = {
    name: "removing workspaces that have not come in as a whole",
    step: async () => {
      await removeAbandoned(store);
      return restUntil(await store.read(nextAbandoned), clock.nowMs());
    },
    mayTakeLong: true,
  };
  return { routes: leavingRoutes(access, ground), loops: [removing] };
}

/** Removes the workspaces whose import has died. */
export async function removeAbandoned(store: Store): Promise<void> {
  const now = iso(store.clock.nowMs());
  for (const seq of await store.read((reader) => abandonedArrivals(reader, now))) await removeWorkspace(store, seq);
}
