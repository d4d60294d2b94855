// GET /campaigns/{id}/forecast
import type { Access } from "../access/auth.ts";
import { route, routes } from "../access/route-table.ts";
import type { Config } from "../config.ts";
import { wrapped } from "../http/answer-shapes.ts";
import { success } from "../http/replies.ts";
import { byProvider, type MailboxOf } from "./by-provider.ts";
import { findCampaign } from "./campaign.ts";
import { forecastShape } from "./forecast-record.ts";
import { AT_ONCE, forecastFrom, standingOf } from "./forecast.ts";
import { countByDomain } from "./foreseen.ts";
import { isForeseen } from "./record.ts";

export function forecastRoutes(access: Access, config: Config, mailboxOf: MailboxOf) {
  const { store, clock } = access;
  return routes(access, [
    route(
      "GET",
      "/campaigns/:id/forecast",
      {
        name: "getCampaignForecast",
        summary: "See when a campaign of a new sender domain will have left",
        answers: { 200: wrapped(forecastShape) },
        permission: "read",
        refuses: ["CAMPAIGN_NOT_FOUND"],
        description:
          "Of one that is not sent, or is being sent. While its sender domain warms up, mailbox providers get it little by little (`GET /domains/{id}/warmup`).",
      },
      async ({ params, caller: { workspace } }) => {
        const campaign = await store.read((reader) => findCampaign(reader, workspace, params.id));
        const nowMs = clock.nowMs();
        const standing = await store.read((reader) => standingOf(reader, campaign, { nowMs, config }));
        if (standing === null) return success(AT_ONCE);
        if (!isForeseen(campaign)) return success(forecastFrom(standing, null, nowMs));
        const { byDomain, isEstimate } = await countByDomain({ store, clock }, workspace, campaign);
        const known = await byProvider(byDomain, { mailboxOf, clock });
        const people = { ...known, isEstimate: isEstimate || known.isEstimate };
        return success(forecastFrom(standing, people, nowMs));
      },
    ),
  ]);
}
