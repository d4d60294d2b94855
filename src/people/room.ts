// The people room: one person as all other rooms know them, and erasure.
import type { Access } from "../access/auth.ts";
import type { Ground, Room } from "../ground.ts";
import { hourly } from "../jobs/loops.ts";
import { consentRoutes } from "./consent-routes.ts";
import { Eraser, ERASING, removeExpired } from "./erasure.ts";
import type { ContentOf } from "./export.ts";
import { peopleRoutes } from "./routes.ts";

const EXPIRED_SIGN_UPS_A_BATCH = 50;

export function openPeople(ground: Ground, access: Access, contentOf: ContentOf): Room {
  const { config, secrets, store } = ground;
  const returnPath = { secrets, returnPathDomain: config.delivery.returnPathDomain };
  const eraser = new Eraser(ground);
  return {
    routes: [peopleRoutes(access, { returnPath, contentOf }), consentRoutes(access, secrets)],
    loops: [
      { name: "erasing contacts", step: () => eraser.step(), wokenBy: ERASING },
      hourly("deleting unconfirmed sign-ups", EXPIRED_SIGN_UPS_A_BATCH, (most) => removeExpired(store, most)),
    ],
  };
}
