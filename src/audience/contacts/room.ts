// The contacts room: people, and signing up.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { restUntil } from "../../base/jobs/due.ts";
import { endPauses } from "./pause.ts";
import { nextPauseEnd } from "./pause-queries.ts";
import { lookupRoutes } from "./list/routes.ts";
import { contactRoutes, trackRoutes } from "./routes.ts";
import { SEARCH_FIELDS } from "../../tenant/workspaces/search-fields.ts";
import { INDEX_EVERY_MS, indexStep, prepareStep } from "./search/search-preparation.ts";
import { SignUpLimits } from "./sign-up/limits.ts";
import type { ConfirmationServices } from "./sign-up/sign-up.ts";

/** Pauses ended in one transaction. */
const MOST_PAUSES = 100;

/** `limits`: also those of the public pages above this room. */
export function openContacts(
  ground: Ground,
  access: Access,
  confirming: ConfirmationServices,
): Room & { readonly limits: SignUpLimits } {
  const { clock, store } = ground;
  const perMinute = () => ground.config.limits.signUpsPerMinute;
  const limits = new SignUpLimits({ clock, clients: access.clients, perMinute });
  return {
    limits,
    routes: [trackRoutes(access, confirming, limits), contactRoutes(access, confirming), lookupRoutes(access)],
    loops: [
      { name: "ending pauses", step: () => pauseStep(ground), goesByDate: true },
      { name: "preparing searches", step: () => prepareStep(store), wokenBy: SEARCH_FIELDS },
      { name: "indexing contacts for searches", step: () => indexStep(store), lookEveryMs: INDEX_EVERY_MS },
    ],
  };
}

async function pauseStep({ store, clock }: Ground): Promise<number> {
  const restMs = restUntil(await store.read(nextPauseEnd), clock.nowMs());
  if (restMs > 0) return restMs;
  await store.write((tx) => endPauses(tx, MOST_PAUSES));
  return 0;
}
