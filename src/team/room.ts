// The team room: people, how they sign in, what they may do, and what they did.
import type { Ground, Room } from "../ground.ts";
import { iso } from "../clock.ts";
import { hourly } from "../jobs/loops.ts";
import type { Store, Tx } from "../store/store.ts";
import type { Access } from "../workspaces/auth.ts";
import type { TeamDoor } from "./door.ts";
import { entranceOf } from "./entrance.ts";
import { deleteEndedInvitations } from "./invitation-queries.ts";
import { linkRoutes } from "./link-routes.ts";
import { meRoutes } from "./me-routes.ts";
import { deleteEndedSpent } from "./passkeys/queries.ts";
import { deleteEndedSessions } from "./session-queries.ts";
import { sessionRoutes } from "./session-routes.ts";

const ROWS_A_BATCH = 1_000;

export function openTeam(ground: Ground, access: Access, { cookie }: TeamDoor): Room {
  const entrance = entranceOf(ground, access, cookie);
  const { store } = ground;
  return {
    routes: [sessionRoutes(entrance), linkRoutes(entrance), meRoutes(entrance)],
    loops: [
      expiry(store, "deleting ended sessions", deleteEndedSessions),
      expiry(store, "deleting links that are over", deleteEndedInvitations),
      expiry(store, "deleting old challenges of passkeys", deleteEndedSpent),
    ],
  };
}

type Remove = (tx: Tx, now: string, most: number) => Promise<number>;

function expiry(store: Store, name: string, remove: Remove) {
  return hourly(name, ROWS_A_BATCH, (most) => store.write((tx) => remove(tx, iso(tx.nowMs), most)));
}
