// /campaigns/{id}/versions: the earlier contents of a campaign, and restoring one.
import type { Reader, Tx } from "../../store/store.ts";
import { restoreShape, versionRoutes } from "../../content/templates/versions/routes.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import { findCampaign, restoreCampaign } from "./campaign.ts";
import { answerChange, type DetailsSources } from "./details.ts";
import { campaignById } from "./queries.ts";
import { campaignAnswerShape } from "./record.ts";

const found = ["CAMPAIGN_NOT_FOUND"] as const;

export function campaignVersionRoutes(access: Access & DetailsSources) {
  return routes(access, [
    route(
      "POST",
      "/campaigns/:id/versions/:versionId/restore",
      {
        name: "restoreCampaignVersion",
        summary: "Have a campaign say again what it said in a version",
        answers: { 200: campaignAnswerShape },
        permission: "campaigns.write",
        body: restoreShape,
        refuses: [
          ...found,
          "VERSION_NOT_FOUND",
          "CAMPAIGN_STATE",
          "CONFLICT",
          "DOMAIN_NOT_ALLOWED",
          "DOMAIN_NOT_VERIFIED",
          "SEGMENT_NOT_FOUND",
        ],
        description: "Its name, description and audience stay. As for any change, it must not have started.",
      },
      async ({ params, body, caller, request, set }) => {
        const campaign = await access.store.read((reader) => campaignById(reader, caller.workspace, params.id));
        const change = (tx: Tx) => restoreCampaign(tx, caller, params, body);
        const asked = { body, caller, request, set };
        return answerChange(access, asked, campaign ? [campaign] : [], { change, status: 200 });
      },
    ),
    ...versionRoutes({ path: "/campaigns", noun: "Campaign", refuses: found, ownerOf }),
  ]);
}

async function ownerOf(reader: Reader, { workspace }: Caller, id: string) {
  return { campaign: (await findCampaign(reader, workspace, id)).seq };
}
