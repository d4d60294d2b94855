// The contacts room: people, sign-up, files and bulk jobs.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { exportRoutes } from "./csv/routes.ts";
import { restUntil } from "../../base/jobs/due.ts";
import type { BulkHooks } from "./jobs/bulk.ts";
import { endPauses } from "./pause.ts";
import { nextPauseEnd } from "./pause-queries.ts";
import { leavingRoutes } from "./leaving-routes.ts";
import { CONTACT_JOB } from "./jobs/job.ts";
import { abandonAllStaging } from "./jobs/queries.ts";
import type { ImportHooks } from "./jobs/import.ts";
import { importRoutes, type UploadHooks } from "./jobs/import-routes.ts";
import { jobRoutes, type RenameHooks } from "./jobs/routes.ts";
import { suppressionFileRoutes } from "./jobs/suppression-routes.ts";
import { jobStep, type MergeHooks } from "./jobs/work.ts";
import { textKeys } from "./list/fields.ts";
import { contactListRoutes, type ListHooks } from "./list/routes.ts";
import { contactRoutes, trackRoutes } from "./routes.ts";
import { SEARCH_FIELDS } from "../../tenant/workspaces/search-fields.ts";
import { indexStep, prepareStep } from "./search-preparation.ts";
import { SignUpLimits } from "./sign-up/limits.ts";
import { preferenceRoutes, type PreferenceHooks } from "./sign-up/preference-routes.ts";

/** Pauses ended in one transaction. */
const MOST_PAUSES = 100;
const LONGEST_REST_MS = 30_000;

type ContactHooks = BulkHooks & ListHooks & PreferenceHooks & ImportHooks & UploadHooks & RenameHooks & MergeHooks;

export async function openContacts(
  ground: Ground,
  access: Access,
  hooks: ContactHooks,
): Promise<Room & { readonly limits: SignUpLimits }> {
  const { config, clock, store, secrets } = ground;
  const { signUpsPerMinute, importBytes } = config.limits;
  const { askToConfirm: ask, refuseToAsk, erase } = hooks;
  const confirming = { ask, refuseToAsk };
  // No other process uses this store, so unfinished uploads were left by a process that ended.
  if (store.exclusive) await store.write(abandonAllStaging);
  const limits = new SignUpLimits({ clock, clients: access.clients, perMinute: signUpsPerMinute });
  return {
    limits,
    routes: [
      trackRoutes(access, confirming, limits),
      contactRoutes(access, confirming, erase),
      contactListRoutes(access, hooks),
      importRoutes(access, importBytes, hooks),
      exportRoutes(access, hooks, textKeys),
      suppressionFileRoutes(access, importBytes),
      jobRoutes(access, hooks),
      leavingRoutes(access),
      preferenceRoutes(access, { ...hooks, secrets, limits, bases: ground.bases }),
    ],
    loops: [
      { name: "imports and bulk jobs", step: () => jobStep({ ...ground, hooks }), wokenBy: CONTACT_JOB },
      { name: "ending pauses", step: () => pauseStep(ground), goesByDate: true },
      { name: "preparing searches", step: () => prepareStep(store), wokenBy: SEARCH_FIELDS },
      { name: "indexing contacts for searches", step: () => indexStep(store) },
    ],
  };
}

async function pauseStep({ store, clock }: Ground): Promise<number> {
  const restMs = restUntil(await store.read(nextPauseEnd), clock.nowMs(), LONGEST_REST_MS);
  if (restMs > 0) return restMs;
  await store.write((tx) => endPauses(tx, MOST_PAUSES));
  return 0;
}
