// The bulk room: many contacts at once, as lists, in files and by jobs; and duplicates.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import { mergeAllRoutes } from "./duplicates/merge-routes.ts";
import { duplicateRoutes } from "./duplicates/routes.ts";
import { DUPLICATES, searchStep } from "./duplicates/search.ts";
import { exportRoutes } from "./export-routes.ts";
import { importRoutes } from "./imports/routes.ts";
import { suppressionFileRoutes } from "./imports/suppression-routes.ts";
import { CONTACT_JOB } from "./jobs/job.ts";
import { abandonAllStaging } from "./jobs/queries.ts";
import { contactListRoutes } from "./list-routes.ts";
import { memberRoutes } from "./member-routes.ts";
import { jobRoutes } from "./routes.ts";
import { jobStep } from "./work.ts";
import { LOOK_OFTEN_MS } from "../../base/jobs/due.ts";

export async function openBulk(ground: Ground, access: Access, catchUp: CatchUp): Promise<Room> {
  const { store, clock, log } = ground;
  const { limits } = ground.config;
  // No other process uses this store, so unfinished uploads were left by a process that ended.
  if (store.exclusive) await store.write(abandonAllStaging);
  return {
    routes: [
      contactListRoutes(access, catchUp),
      importRoutes(access, limits),
      exportRoutes(access, catchUp),
      suppressionFileRoutes(access, limits),
      jobRoutes(access, catchUp),
      memberRoutes(access, catchUp),
      duplicateRoutes(access),
      mergeAllRoutes(access, catchUp),
    ],
    loops: [
      {
        name: "imports and bulk jobs",
        step: () => jobStep({ store, clock, log, catchUp }),
        wokenBy: CONTACT_JOB,
        lookEveryMs: LOOK_OFTEN_MS,
      },
      {
        name: "finding duplicates",
        step: () => searchStep(store, clock),
        wokenBy: DUPLICATES,
        mayTakeLong: true,
        lookEveryMs: LOOK_OFTEN_MS,
      },
    ],
  };
}
