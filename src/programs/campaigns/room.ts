// The campaigns room: one mail to many.
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { campaignAccountRoutes } from "./account/routes.ts";
import type { MailboxOf } from "./forecast/by-provider.ts";
import { CAMPAIGN_DUE } from "./campaign.ts";
import { forecastRoutes } from "./forecast/forecast-routes.ts";
import { recallRuns } from "./queries.ts";
import { campaignRoutes } from "./routes.ts";
import { CampaignLoop } from "./run/loop.ts";
import { campaignRunRoutes } from "./run/routes.ts";
import type { LimitsOn } from "./forecast/slowest.ts";
import { campaignVersionRoutes } from "./version-routes.ts";
import { LOOK_OFTEN_MS } from "../../base/jobs/due.ts";

type CampaignHooks = {
  readonly catchUp: CatchUp;
  readonly isGettingThrough: () => boolean;
  /** The mailbox provider of a domain. */
  readonly mailboxOf: MailboxOf;
  readonly limitsOn: LimitsOn;
};

export function openCampaigns(ground: Ground, access: Access, hooks: CampaignHooks): Room {
  const { catchUp } = hooks;
  const campaigns = new CampaignLoop({ ...ground, ...hooks });
  return {
    routes: [
      campaignRoutes({ ...access, catchUp }),
      campaignRunRoutes({ ...access, catchUp }),
      campaignAccountRoutes(access),
      campaignVersionRoutes({ ...access, catchUp }),
      forecastRoutes(access, ground.config, hooks),
    ],
    loops: [{ name: "campaigns", step: () => campaigns.step(), wokenBy: CAMPAIGN_DUE, lookEveryMs: LOOK_OFTEN_MS }],
    recall: recallRuns,
  };
}
