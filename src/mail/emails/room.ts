// The emails room: the record of each mail, its states, and bounce and complaint rates.
import type { Ground, Room } from "../../ground/ground.ts";
import { hourly } from "../../base/jobs/loops.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { MAIL_RETURNED } from "../../tenant/events/catalog.ts";
import { healthRoutes } from "./health/routes.ts";
import { HealthWatch } from "./health/watch.ts";
import { emailListRoutes } from "./list/routes.ts";
import { previewRoutes } from "../../content/rendering/preview-routes.ts";
import { recallMails } from "./queue/recall-queries.ts";
import { Renderer } from "../../content/rendering/renderer.ts";
import { emailRoutes } from "./routes.ts";
import { retryStep } from "./retry/loop.ts";
import { forgetOldRetries, RETRYING } from "./retry/retry.ts";
import { retryRoutes } from "./retry/routes.ts";
import { scheduledRoutes } from "./scheduled/routes.ts";
import { sendRoutes } from "./send/routes.ts";
import { templateTestRoutes } from "./send/test-routes.ts";
import { LOOK_OFTEN_MS } from "../../base/jobs/due.ts";

const OLD_RETRIES_A_BATCH = 20;
/** Bounces and complaints come in bursts. */
const RETURNED_WITHIN_MS = 5_000;

export function openEmails(ground: Ground, access: Access): Room & { readonly renderer: Renderer } {
  const { config, store, clock, log, secrets } = ground;
  const { limits, delivery } = config;
  const returnPath = { secrets, returnPathDomain: delivery.returnPathDomain };
  const renderer = new Renderer(clock);
  const health = new HealthWatch({ ...ground, limits });
  return {
    renderer,
    routes: [
      sendRoutes(access),
      templateTestRoutes(access),
      emailListRoutes(access, returnPath),
      emailRoutes(access, returnPath),
      scheduledRoutes(access, returnPath),
      retryRoutes(access),
      previewRoutes(access, renderer, { secrets, bases: ground.bases }),
      healthRoutes(access, limits, log),
    ],
    loops: [
      {
        name: "watching bounces and complaints",
        step: () => health.step(),
        wokenBy: MAIL_RETURNED,
        gatherMs: RETURNED_WITHIN_MS,
      },
      { name: "sending emails again", step: () => retryStep(ground), wokenBy: RETRYING, lookEveryMs: LOOK_OFTEN_MS },
      hourly("deleting old retries", OLD_RETRIES_A_BATCH, (most) => forgetOldRetries(store, most)),
    ],
    recall: recallMails,
    close: () => renderer.close(),
  };
}
