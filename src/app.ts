// Every slice's routes on one Elysia, in the order of the interface document.
import { t } from "elysia";
import { activityRoutes } from "./activity/routes.ts";
import { exportRoutes } from "./contacts/csv/routes.ts";
import type { Above } from "./contacts/jobs/bulk.ts";
import { importRoutes, jobRoutes } from "./contacts/jobs/routes.ts";
import { campaignOutcomeRoutes } from "./campaigns/outcome-routes.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import { campaignSendingRoutes } from "./campaigns/sending-routes.ts";
import type { SignUpLimits } from "./contacts/sign-up-limits.ts";
import { preferenceRoutes } from "./contacts/preferences.ts";
import { contactListRoutes } from "./contacts/list-routes.ts";
import { contactRoutes, trackRoutes } from "./contacts/routes.ts";
import type { Carriers } from "./delivery/carriers.ts";
import type { HandoverOptions } from "./delivery/handover.ts";
import { previewRoutes } from "./delivery/preview-routes.ts";
import { rawMailRoutes } from "./delivery/routes.ts";
import { trackingRoutes } from "./delivery/tracking/routes.ts";
import type { SharedResolver } from "./dns/cache.ts";
import { askToConfirm } from "./emails/confirmation.ts";
import { noteUnsubscribed } from "./emails/email.ts";
import { recipientOf } from "./emails/queries.ts";
import type { Renderer } from "./emails/rendering/renderer.ts";
import type { HealthLimits } from "./emails/health/health.ts";
import { healthRoutes } from "./emails/health/routes.ts";
import { emailRoutes, sendRoutes } from "./emails/routes.ts";
import { answers } from "./http/answers.ts";
import type { SesNotices } from "./inbound/ses/notices.ts";
import type { ReadingThread } from "./inbound/reading-thread.ts";
import { attachmentRoutes } from "./inbound/routes.ts";
import { sesRoutes } from "./inbound/ses/routes.ts";
import { documentRoutes } from "./http/docs/routes.ts";
import type { CatchUp } from "./events/dispatch.ts";
import { frame } from "./http/frame.ts";
import type { Log } from "./log.ts";
import { segmentMemberRoutes } from "./segments/member-routes.ts";
import { segmentRoutes } from "./segments/routes.ts";
import { templateRoutes } from "./templates/routes.ts";
import { verifyRoutes } from "./verify/routes.ts";
import { executionRoutes } from "./workflows/execution-routes.ts";
import { simulationRoutes } from "./workflows/simulate-routes.ts";
import { workflowRoutes } from "./workflows/routes.ts";
import type { Access } from "./workspaces/auth.ts";
import type { DomainContext } from "./workspaces/domains/check.ts";
import { domainRoutes } from "./workspaces/domains/routes.ts";
import { keyRoutes, workspaceRoutes } from "./workspaces/routes.ts";

type AppOptions = {
  readonly access: Access;
  readonly log: Log;
  readonly carriers: Carriers;
  readonly renderer: Renderer;
  readonly files: ReadingThread;
  readonly mail: HandoverOptions;
  readonly resolver: SharedResolver;
  readonly domains: DomainContext;
  readonly signUps: SignUpLimits;
  /** What work on many contacts takes from above. */
  readonly above: Above;
  /** The largest file of contacts that is read. */
  readonly importBytes: number;
  readonly catchUp: CatchUp;
  readonly sesNotices: SesNotices;
  readonly healthLimits: HealthLimits;
  /** Hosts that webhooks may go to though they are closed to others. */
  readonly webhookAllow: readonly string[];
};

const health = answers("Whether the server is there", { 200: t.Object({ status: t.String() }) }, { key: "none" });

export function createApp(options: AppOptions) {
  const { access, log, carriers, files, mail, resolver, domains, signUps, catchUp, above, importBytes } = options;
  const app = frame({ clock: access.clock, log })
    .get("/health", () => ({ status: "ok" }), { detail: health })
    .use(sendRoutes(access))
    .use(trackRoutes(access, askToConfirm, signUps))
    .use(verifyRoutes(access, resolver))
    .use(contactRoutes(access, askToConfirm, above.erase))
    .use(contactListRoutes(access))
    .use(importRoutes(access, importBytes))
    .use(exportRoutes(access, above))
    .use(jobRoutes(access, above))
    .use(campaignRoutes({ ...access, catchUp }))
    .use(campaignOutcomeRoutes(access))
    .use(campaignSendingRoutes({ ...access, catchUp }))
    .use(templateRoutes(access))
    .use(activityRoutes(access))
    .use(workflowRoutes({ ...access, webhookAllow: options.webhookAllow }))
    .use(executionRoutes(access))
    .use(simulationRoutes(access, options.renderer))
    .use(previewRoutes(access, options.renderer, mail))
    .use(segmentRoutes(access, catchUp))
    .use(segmentMemberRoutes(access, catchUp))
    .use(emailRoutes(access, mail))
    .use(rawMailRoutes(access, carriers, mail))
    .use(attachmentRoutes(access, files))
    .use(workspaceRoutes(access, mail.secrets))
    .use(healthRoutes(access, options.healthLimits, log))
    .use(keyRoutes(access, mail.secrets))
    .use(domainRoutes(access, domains))
    .use(
      preferenceRoutes(access, {
        secrets: mail.secrets,
        recipientOf,
        onUnsubscribed: noteUnsubscribed,
        limits: signUps,
      }),
    )
    .use(trackingRoutes(access.store, mail.secrets, log))
    .use(sesRoutes(options.sesNotices, access.bodyMemory));
  return app.use(documentRoutes(app, mail.baseUrl));
}
