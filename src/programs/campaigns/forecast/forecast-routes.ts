// GET /campaigns/{id}/forecast
import { t } from "elysia";
import type { Access } from "../../../tenant/access/auth.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import type { Config } from "../../../base/config.ts";
import { wrapped } from "../../../http/answer-shapes.ts";
import { momentIn } from "../../../http/body/moment-in.ts";
import { success } from "../../../http/replies.ts";
import { parameter, timeInputShape } from "../../../http/schemas.ts";
import { domainOf } from "../../../base/addresses.ts";
import { waitingOfCampaign } from "../../../sending/warmup/queries.ts";
import { byProvider, type MailboxOf } from "./by-provider.ts";
import { findCampaign } from "../campaign.ts";
import { forecastShape } from "./forecast-record.ts";
import { AT_ONCE, counts, forecastFrom, MOST_COUNTED, standingOf, type DomainWarmup, type Times } from "./forecast.ts";
import { countByDomain } from "../foreseen.ts";
import type { Campaign } from "../queries.ts";
import { isForeseen } from "../record.ts";
import { slowestOf, type CampaignLimits, type LimitsOn } from "./slowest.ts";

type Hooks = { readonly mailboxOf: MailboxOf; readonly limitsOn: LimitsOn };

export function forecastRoutes(access: Access, config: Config, { mailboxOf, limitsOn }: Hooks) {
  const { store, clock } = access;
  const foreseen = async (campaign: Campaign, { standing, limits, ...times }: ForecastBasis) => {
    const { byDomain, isEstimate } = await countByDomain({ store, clock }, campaign.workspace, campaign);
    const isAsked = standing !== null || limits.brakes.length > 0;
    const known = isAsked ? await byProvider(byDomain, { mailboxOf, clock }) : NOBODY;
    const counted = { ...known, isEstimate: isEstimate || known.isEstimate };
    const forecast = standing ? forecastFrom(standing, counted, times) : { ...AT_ONCE, isEstimate: counted.isEstimate };
    const people = {
      total: [...byDomain.values()].reduce((sum, one) => sum + one, 0),
      of: (mailbox: string) => known.byProvider.get(mailbox) ?? byDomain.get(mailbox) ?? 0,
      isQueued: false,
    };
    return {
      ...forecast,
      slowest: slowestOf(forecast, { limits, people, domain: domainOf(campaign.fromAddress), ...times }),
    };
  };
  const underWay = async (campaign: Campaign, { standing, limits, ...times }: ForecastBasis) => {
    const forecast = standing ? forecastFrom(standing, null, times) : AT_ONCE;
    const waiting =
      standing?.own ?? counts(await store.read((reader) => waitingOfCampaign(reader, campaign.seq, MOST_COUNTED)));
    const people = { total: 0, of: (mailbox: string) => waiting.get(mailbox) ?? 0, isQueued: true };
    return {
      ...forecast,
      slowest: slowestOf(forecast, { limits, people, domain: domainOf(campaign.fromAddress), ...times }),
    };
  };
  return routes(access, [
    route(
      "GET",
      "/campaigns/:id/forecast",
      {
        name: "getCampaignForecast",
        summary: "See when a campaign will have left",
        answers: { 200: wrapped(forecastShape) },
        permission: "read",
        query: t.Object({
          scheduledFor: parameter(
            timeInputShape,
            "When an unsent one would be sent: a time that is over is now. When it is scheduled, or now, unless given.",
          ),
        }),
        refuses: ["CAMPAIGN_NOT_FOUND"],
        description:
          "Of one that is not sent, or is being sent: by the slowest of all limits, from when it begins. A scheduled one meets the warm-up and the queue as they will be then. While its sender domain warms up, mailbox providers get it little by little (`GET /domains/{id}/warmup`).",
      },
      async ({ params, query, caller: { workspace } }) => {
        const campaign = await store.read((reader) => findCampaign(reader, workspace, params.id));
        const nowMs = clock.nowMs();
        const { standing, limits } = await store.read(async (reader) => ({
          standing: await standingOf(reader, campaign, { nowMs, config }),
          limits: await limitsOn(reader, workspace),
        }));
        const terms = { standing, limits, nowMs, fromMs: beginsMs(campaign, query.scheduledFor, nowMs) };
        if (isOver(campaign) || isFree(terms)) return success(AT_ONCE);
        return success(await (isForeseen(campaign) ? foreseen(campaign, terms) : underWay(campaign, terms)));
      },
    ),
  ]);
}

type ForecastBasis = { readonly standing: DomainWarmup | null; readonly limits: CampaignLimits } & Times;

const NOBODY = { byProvider: new Map<string, number>(), isEstimate: false };

/** When it begins to leave. */
function beginsMs(campaign: Campaign, asked: string | undefined, nowMs: number): number {
  const askedMs = asked === undefined ? null : momentIn("scheduledFor", asked);
  if (campaign.status !== "DRAFT" && campaign.status !== "SCHEDULED") return nowMs;
  return Math.max(nowMs, askedMs ?? (campaign.scheduledFor === null ? 0 : Date.parse(campaign.scheduledFor)));
}

function isOver({ status }: Campaign): boolean {
  return status === "SENT" || status === "CANCELLED";
}

/** No limit holds the campaign back, so nothing has to be counted. */
function isFree({ standing, limits: { ratePerSecond, brakes } }: ForecastBasis): boolean {
  return standing === null && ratePerSecond === null && brakes.length === 0;
}
