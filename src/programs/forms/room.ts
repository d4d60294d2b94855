// The forms room: sign-up forms, their public doors, and the processing of answers.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { SignUpLimits } from "../../audience/contacts/sign-up/limits.ts";
import { hourly } from "../../base/jobs/loops.ts";
import { FormAnswers, forgetUnconfirmed, SENT } from "./answers.ts";
import { FLUSH_EVERY_MS, forgetOldCounts, Views } from "./counts.ts";
import { publicRoutes } from "./public-routes.ts";
import { formRoutes } from "./routes.ts";

const ROWS_A_BATCH = 500;

type FormsHooks = { readonly limits: SignUpLimits; readonly proofBits: number };

export function openForms(ground: Ground, access: Access, { limits, proofBits }: FormsHooks): Room {
  const { config, store, clock, log, secrets, bases } = ground;
  const views = new Views(store, clock);
  const answers = new FormAnswers({ store, clock, log, limits });
  const perMinute = () => config.limits.signUpsPerMinute;
  return {
    routes: [formRoutes(access, bases), publicRoutes(access, { bases, secrets, limits, views, perMinute, proofBits })],
    loops: [
      { name: "forms", step: () => answers.step(), wokenBy: SENT },
      { name: "counting views of forms", step: () => views.flush(), lookEveryMs: FLUSH_EVERY_MS },
      hourly("deleting unconfirmed entries of forms", ROWS_A_BATCH, (most) => forgetUnconfirmed(store, most)),
      hourly("deleting old counts of forms", ROWS_A_BATCH, (most) => forgetOldCounts(store, most)),
    ],
    stop: async () => void (await views.flush()),
  };
}
