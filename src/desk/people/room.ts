// The people room: one person as all other rooms know them, and erasure.
import type { Access } from "../../tenant/access/auth.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { hourly } from "../../base/jobs/loops.ts";
import { consentRoutes } from "./consent-routes.ts";
import { ERASING } from "../../mail/emails/actions/erasure.ts";
import { Eraser, removeExpired } from "./erasure.ts";
import type { ContentOf } from "./export.ts";
import { noteRoutes } from "../notes/routes.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import { forgetStep, mergeStep } from "./merging/loop.ts";
import { MERGING } from "./merging/merge.ts";
import { mergeRoutes } from "./merging/routes.ts";
import { peopleRoutes } from "./routes.ts";

const EXPIRED_SIGN_UPS_A_BATCH = 50;

type PeopleHooks = { readonly contentOf: ContentOf; readonly catchUp: CatchUp };

export function openPeople(ground: Ground, access: Access, { contentOf, catchUp }: PeopleHooks): Room {
  const { config, secrets, store, clock } = ground;
  const returnPath = { secrets, returnPathDomain: config.delivery.returnPathDomain };
  const eraser = new Eraser(ground);
  return {
    routes: [
      peopleRoutes(access, { returnPath, contentOf }),
      mergeRoutes(access, catchUp),
      consentRoutes(access, secrets),
      noteRoutes(access),
    ],
    loops: [
      { name: "erasing contacts", step: () => eraser.step(), wokenBy: ERASING },
      { name: "merging contacts", step: () => mergeStep(store, clock), wokenBy: MERGING },
      hourly("deleting what undoes merges", 1, () => forgetStep(store)),
      hourly("deleting unconfirmed sign-ups", EXPIRED_SIGN_UPS_A_BATCH, (most) => removeExpired(store, most)),
    ],
  };
}
