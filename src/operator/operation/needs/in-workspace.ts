// How needs are found in a workspace, where that takes more than a line.
import { DAY_MS, iso } from "../../../base/clock.ts";
import { refusedDomains } from "../../../ground/ways/domain-queries.ts";
import { healthOf } from "../../../mail/emails/health/health.ts";
import { countGivenUp } from "../../../programs/workflows/webhook/attempt-queries.ts";
import { endpointsOf } from "../../../programs/webhooks/endpoints/queries.ts";
import { isPaused } from "../../../sending/delivery/pace/brake.ts";
import { brakesOf } from "../../../sending/delivery/pace/queries.ts";
import { campaignsUnderWay } from "../../../sending/delivery/queue/queries.ts";
import { reasonOf } from "../../../sending/delivery/queue/queue.ts";
import type { RelayState } from "../../../sending/open-ways/way-choice.ts";
import type { Reader } from "../../../store/store.ts";
import { lossesOf } from "../../../tenant/domains/losses.ts";
import { hostsOf } from "../../hosts/queries.ts";
import { sentenceOf as hostSentence } from "../../hosts/problems.ts";
import { faultsOfDomains } from "../../watch/queries.ts";
import { sentenceOf } from "../../watch/seen.ts";
import { changedInWorkspace, failedCampaigns, failingInWorkspace } from "./queries.ts";
import type { NeedKind } from "./record.ts";
import type { NeedFields, WorkspaceView } from "./row.ts";

type KindNeeds<Kind extends NeedKind> = Promise<readonly NeedFields<Kind>[]>;

const MOST_DOMAINS = 10;
/** The limit of all workspaces together. */
const MOST_REFUSED = 500;
const MOST_CAMPAIGNS = 20;
const MOST_WEBHOOKS = 1_000;
const FAILED_WITHIN_MS = 7 * DAY_MS;

/** If no way can be used, only that is reported. */
export function waysAway({ state, ways }: RelayState): readonly NeedFields<"WAY_AWAY">[] {
  const away = state === "AWAY" ? [] : ways.filter((way) => way.state === "AWAY" && !way.isPaused);
  return away.map(({ name, since, reply }) => ({ name, since, reply }));
}

/** A provider that is only slowed down needs no action: the queue shows how fast its mail leaves. */
export async function pausedProviders(
  reader: Reader,
  { workspace, nowMs }: WorkspaceView,
): KindNeeds<"PROVIDER_PAUSED"> {
  return (await brakesOf(reader, workspace)).flatMap(({ id: brakeId, mailbox, way, since, pausedUntil, reply }) =>
    pausedUntil !== null && isPaused({ pausedUntil }, nowMs)
      ? [{ brakeId, mailbox, way, since, pausedUntil, reply }]
      : [],
  );
}

/** Before they stop marketing mail; then one line reports that. */
export async function highRates(
  reader: Reader,
  { workspace, nowMs, healthLimits: limits, stopped }: WorkspaceView,
): KindNeeds<"RATE_HIGH"> {
  if (stopped !== null) return [];
  const health = await healthOf(reader, workspace, nowMs, limits);
  const of = {
    BOUNCE_RATE: [health.bounceRate, limits.bounceRateWarning, limits.bounceRateStop],
    COMPLAINT_RATE: [health.complaintRate, limits.complaintRateWarning, limits.complaintRateStop],
  } as const;
  return health.warnings.map((what) => {
    const [rate, limit, stop] = of[what];
    return { what, rate, limit, stopsAt: stop > 0 ? stop : null, since: health.since };
  });
}

export async function domainsFailing(reader: Reader, { workspace }: WorkspaceView): KindNeeds<"DOMAIN_FAILING"> {
  const domains = await failingInWorkspace(reader, workspace, MOST_DOMAINS);
  return domains.map(({ id: domainId, domain, failingSince: since, checks }) => {
    const [fault] = Object.entries(checks).filter(([place, { state }]) => isFault(place, state));
    return { since, domainId, domain, problem: fault?.[1].problem ?? null };
  });
}

/** Only these records decide. */
function isFault(place: string, state: string): boolean {
  return /^(DKIM |IDENTITY$)/.test(place) && (state === "MISSING" || state === "WRONG");
}

export async function domainsRefused(reader: Reader, { workspace }: WorkspaceView): KindNeeds<"WAY_REFUSES"> {
  const refused = (await refusedDomains(reader, MOST_REFUSED)).filter((one) => one.workspace === workspace);
  return refused.map(({ way, domainId, name: domain, since, known: { problem, code, values } }) => ({
    ...{ way, domainId, domain, since, problem },
    problemCode: code ?? null,
    problemValues: { ...values },
  }));
}

export async function domainsChanged(reader: Reader, { workspace }: WorkspaceView): KindNeeds<"DOMAIN_CHANGED"> {
  const changed = await changedInWorkspace(reader, workspace, MOST_DOMAINS);
  const listed = await faultsOfDomains(reader, workspace, MOST_DOMAINS);
  return [
    ...changed.flatMap(({ id: domainId, domain, checks }) =>
      lossesOf({ domain, checks }).map((loss) => ({ ...loss, domainId, domain })),
    ),
    ...listed.map(({ id: domainId, since, ...fault }) => ({
      ...{ what: "BLOCKLIST" as const, since, domainId },
      ...{ domain: fault.subject, problem: sentenceOf(fault) },
    })),
  ];
}

export async function hostsFailing(reader: Reader, { workspace }: WorkspaceView): KindNeeds<"LINK_HOST_FAILING"> {
  return (await hostsOf(reader, workspace)).flatMap(({ host, isCurrent, failingSince: since, problem }) =>
    isCurrent && since !== null ? [{ since, host, problem: problem && hostSentence(problem) }] : [],
  );
}

export async function heldCampaigns(reader: Reader, { workspace, stopped }: WorkspaceView): KindNeeds<"CAMPAIGN_HELD"> {
  const campaigns = await campaignsUnderWay(reader, workspace, MOST_CAMPAIGNS);
  return campaigns.flatMap((campaign) => {
    const reason = reasonOf(campaign, stopped);
    // A pause is intended.
    if (reason === null || reason === "CAMPAIGN_PAUSED") return [];
    const { id: campaignId, name, blocked } = campaign;
    return [{ campaignId, name, reason, text: blocked ?? stopped }];
  });
}

export async function campaignsThatFailed(
  reader: Reader,
  { workspace, nowMs }: WorkspaceView,
): KindNeeds<"CAMPAIGN_FAILED"> {
  const campaigns = await failedCampaigns(reader, workspace, iso(nowMs - FAILED_WITHIN_MS), MOST_CAMPAIGNS);
  return campaigns.map(({ id: campaignId, name, startedAt: since }) => ({ campaignId, name, since }));
}

export async function failedWebhooks(
  reader: Reader,
  { workspace, nowMs }: WorkspaceView,
): KindNeeds<"WEBHOOKS_FAILED"> {
  const since = iso(nowMs - DAY_MS);
  const { count, lastAt } = await countGivenUp(reader, workspace, since, MOST_WEBHOOKS);
  return lastAt === null ? [] : [{ since, lastAt, count: { count, isLowerBound: count === MOST_WEBHOOKS } }];
}

export async function webhooksOff(reader: Reader, { workspace }: WorkspaceView): KindNeeds<"WEBHOOK_OFF"> {
  return (await endpointsOf(reader, workspace)).flatMap(({ id: webhookId, url, description, offAt: since }) =>
    since === null ? [] : [{ webhookId, host: new URL(url).host, description, since }],
  );
}
