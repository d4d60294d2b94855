// The team room: people, their sign-in, their permissions, and their audit log.
import type { Ground, Room } from "../../ground/ground.ts";
import { DAY_MS, iso } from "../../base/clock.ts";
import { hourly } from "../../base/jobs/loops.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { TeamDoor } from "./door.ts";
import { codeRoutes } from "./account/code-routes.ts";
import { identityRoutes } from "./account/identity-routes.ts";
import { meRoutes } from "./account/me-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { deleteEntriesBefore } from "./audit/audit-queries.ts";
import { authDepsOf } from "./start-session.ts";
import { deleteEndedInvitations } from "./invitation-queries.ts";
import { linkRoutes } from "./link-routes.ts";
import { deleteEndedSpent } from "./passkeys/queries.ts";
import { deleteEndedDevices, deleteEndedSessions } from "./session/session-queries.ts";
import { memberRoutes } from "./member-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { userRoutes } from "./user-routes.ts";

/** Sign-in needs pages. */
const OF_PEOPLE = [
  ...[sessionRoutes, linkRoutes, meRoutes, codeRoutes, identityRoutes],
  ...[memberRoutes, userRoutes, auditRoutes],
];
const ROWS_A_BATCH = 1_000;

export function openTeam(ground: Ground, access: Access, { cookie }: TeamDoor): Room {
  const deps = authDepsOf(ground, access, cookie);
  const { store, config } = ground;
  return {
    routes: (config.http.face ? OF_PEOPLE : [auditRoutes]).map((of) => of(deps)),
    loops: [
      expiry(store, "deleting ended sessions", deleteEndedSessions),
      expiry(store, "deleting browsers without a sign-in for 400 days", deleteEndedDevices),
      expiry(store, "deleting links that are over", deleteEndedInvitations),
      expiry(store, "deleting old challenges of passkeys", deleteEndedSpent),
      hourly("deleting old entries of the audit log", ROWS_A_BATCH, (most) => deleteOld(ground, most)),
    ],
  };
}

type Remove = (tx: Tx, now: string, most: number) => Promise<number>;

async function deleteOld({ config, store }: Ground, most: number): Promise<number> {
  const { auditDays } = config.limits;
  if (auditDays === 0) return 0;
  return store.write((tx) => deleteEntriesBefore(tx, iso(tx.nowMs - auditDays * DAY_MS), most));
}

function expiry(store: Store, name: string, remove: Remove) {
  return hourly(name, ROWS_A_BATCH, (most) => store.write((tx) => remove(tx, iso(tx.nowMs), most)));
}
