// The needs of a workspace, and its first steps that are done.
import { lastBackups } from "../../operator/backup/queries.ts";
import { backupFault, backupOf } from "../../operator/backup/state.ts";
import { needsSomebody, type CertificateState } from "../../base/certificates/state.ts";
import { DAY_MS, iso } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { lossesOf } from "../../tenant/domains/losses.ts";
import { keptCount } from "../../audience/contacts/count-queries.ts";
import { campaignsUnderWay } from "../../sending/delivery/queue/queries.ts";
import { reasonOf } from "../../sending/delivery/queue/queue.ts";
import { isPaused } from "../../sending/delivery/pace/brake.ts";
import { brakesOf } from "../../sending/delivery/pace/queries.ts";
import type { RelayState } from "../../sending/open-ways/way-choice.ts";
import { healthOf, type HealthLimits } from "../../mail/emails/health/health.ts";
import { refusedThroughout } from "../../mail/emails/health/queries.ts";
import { failedOfDay } from "../../mail/statistics/statistics.ts";
import { behindIn, seenIn, type ClockMark } from "../../store/clock-queries.ts";
import { heldSince } from "../../store/hold.ts";
import { unreadMessages } from "../../mail/inbound/queries.ts";
import { hostsOf, type Host } from "../../operator/hosts/queries.ts";
import { sentenceOf as hostSentence } from "../../operator/hosts/problems.ts";
import { openNotesFor } from "../notes/queries.ts";
import { isShort, type Space } from "../../store/space.ts";
import type { Reader } from "../../store/store.ts";
import { findBrand } from "../../content/templates/brand/brand.ts";
import { countMembers } from "../../operator/team/people-queries.ts";
import { endpointsOf } from "../../programs/webhooks/endpoints/queries.ts";
import { countGivenUp } from "../../programs/workflows/webhook/attempt-queries.ts";
import { faultsOfDomains, faultsOfServer, type FaultOfDomain } from "../../operator/watch/queries.ts";
import { sentenceOf } from "../../operator/watch/seen.ts";
import { haltedWarmups, type WarmupHalt } from "../../sending/warmup/queries.ts";
import { isNamed } from "../../tenant/workspaces/name.ts";
import type { Workspace } from "../../tenant/workspaces/queries.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import {
  changedDomains,
  failedCampaigns,
  failingDomains,
  hasNotices,
  hasReturned,
  hasSeenDomain,
  hasSent,
  madeIn,
  type ChangedDomain,
  type FailingDomain,
} from "./queries.ts";
import type { OverviewNeed, Overview } from "./record.ts";
import { refusedDomains, type WayDomainRefusal } from "../../ground/ways/domain-queries.ts";

/** Where bounces arrive by the configuration; null = nowhere, or as notices. */
export type BounceWay = "return path" | null;

export type OverviewTerms = {
  readonly workspace: number;
  readonly nowMs: number;
  readonly relay: RelayState;
  readonly certificates: readonly CertificateState[];
  readonly bounces: BounceWay;
  readonly healthLimits: HealthLimits;
  /** The public id of the person who calls; null = a key does. */
  readonly user: string | null;
  /** Null = the caller is no owner, and sees nothing of the server. */
  readonly server: { readonly config: Config; readonly disk: Space } | null;
};

const MOST_DOMAINS = 10;
/** The limit of all workspaces together. */
const MOST_REFUSED = 500;
const MOST_CAMPAIGNS = 20;
const MOST_WEBHOOKS = 1_000;
const MOST_NOTES = 20;
const CHARS_OF_NOTE = 200;

export async function overviewOf(reader: Reader, terms: OverviewTerms): Promise<Overview> {
  const { workspace, nowMs, relay, certificates } = terms;
  const own = await ownWorkspace(reader, workspace);
  const stopped = own.marketingStopped;
  const domains = await failingDomains(reader, workspace, MOST_DOMAINS);
  const held = await heldSince(reader);
  const clock = await seenIn(reader);
  const attention = [
    ...needsOfClock(clock, nowMs),
    ...(held === null ? [] : [{ kind: "SENDING_HELD" as const, since: held }]),
    ...waysAway(relay),
    ...certificates.filter(needsSomebody).map(({ of, validTo, fault }) => ({
      kind: "CERTIFICATE" as const,
      of: [...of],
      validTo,
      fault,
    })),
    ...(await pausedProviders(reader, workspace, nowMs)),
    ...(await haltedWarmups(reader, workspace, MOST_DOMAINS)).flatMap(halted),
    ...(stopped === null ? [] : [{ kind: "MARKETING_STOPPED" as const, text: stopped }]),
    ...(stopped === null ? await highRates(reader, terms) : []),
    ...domains.map(failing),
    ...(await refusedDomains(reader, MOST_REFUSED)).filter((one) => one.workspace === workspace).map(refused),
    ...(await changedDomains(reader, workspace, MOST_DOMAINS)).flatMap(changed),
    ...(await faultsOfDomains(reader, workspace, MOST_DOMAINS)).map(blocked),
    ...(await hostsOf(reader, workspace)).flatMap(hostFailing),
    ...(await allRefused(reader, workspace, nowMs)),
    ...(await failedMails(reader, workspace, nowMs)),
    ...(await heldCampaigns(reader, workspace, stopped)),
    ...(await campaignsThatFailed(reader, workspace, nowMs)),
    ...(await failedWebhooks(reader, workspace, nowMs)),
    ...(await webhooksOff(reader, workspace)),
    ...(await notesFor(reader, terms)),
    ...(terms.server === null ? [] : await needsOfServer(reader, terms.server, nowMs)),
  ];
  return { attention, firstSteps: await firstSteps(reader, own, terms.bounces) };
}

function needsOfClock(clock: ClockMark, nowMs: number): OverviewNeed[] {
  const { seenAt, doubtedAt } = clock;
  if (doubtedAt !== null) return [{ kind: "CLOCK_IN_DOUBT", since: doubtedAt, seenAt }];
  return seenAt === null || behindIn(clock, nowMs) === null ? [] : [{ kind: "CLOCK_BEHIND", seenAt }];
}

/** If no way can be used, only that is reported. */
function waysAway({ state, since, reply, ways }: RelayState): OverviewNeed[] {
  if (state === "AWAY") return [{ kind: "RELAY_AWAY", since, reply }];
  const away = ways.filter((way) => way.state === "AWAY" && !way.isPaused);
  return away.map((way) => ({ kind: "WAY_AWAY", name: way.name, since: way.since, reply: way.reply }));
}

/** A provider that is only slowed down needs no action: the queue shows how fast its mail leaves. */
async function pausedProviders(reader: Reader, workspace: number, nowMs: number): Promise<OverviewNeed[]> {
  return (await brakesOf(reader, workspace)).flatMap(
    ({ id: brakeId, mailbox, way, since, pausedUntil, reply }): OverviewNeed[] =>
      pausedUntil !== null && isPaused({ pausedUntil }, nowMs)
        ? [{ kind: "PROVIDER_PAUSED", brakeId, mailbox, way, since, pausedUntil, reply }]
        : [],
  );
}

function halted({ id: domainId, name: domain, reason, since }: WarmupHalt): OverviewNeed[] {
  return domainId === null ? [] : [{ kind: "WARMUP_HALTED", domainId, domain, reason, since }];
}

function failing({ id, domain, failingSince, checks }: FailingDomain): OverviewNeed {
  const faults = Object.entries(checks).filter(([place, { state }]) => isFault(place, state));
  const problem = faults[0]?.[1].problem ?? null;
  return { kind: "DOMAIN_FAILING", since: failingSince, domainId: id, domain, problem };
}

function refused({ way, domainId, name: domain, since, known }: WayDomainRefusal): OverviewNeed {
  const { problem, code, values } = known;
  return {
    kind: "WAY_REFUSES",
    way,
    domainId,
    domain,
    since,
    problem,
    problemCode: code ?? null,
    problemValues: { ...values },
  };
}

function changed({ id: domainId, domain, checks }: ChangedDomain): OverviewNeed[] {
  return lossesOf({ domain, checks }).map((loss) => ({ kind: "DOMAIN_CHANGED", ...loss, domainId, domain }));
}

function blocked({ id: domainId, subject: domain, since, ...fault }: FaultOfDomain): OverviewNeed {
  const problem = sentenceOf({ ...fault, subject: domain });
  return { kind: "DOMAIN_CHANGED", what: "BLOCKLIST", since, domainId, domain, problem };
}

function hostFailing({ host, isCurrent, failingSince: since, problem }: Host): OverviewNeed[] {
  if (!isCurrent || since === null) return [];
  return [{ kind: "LINK_HOST_FAILING", since, host, problem: problem && hostSentence(problem) }];
}

/** Only these records decide. */
function isFault(place: string, state: string): boolean {
  return /^(DKIM |IDENTITY$)/.test(place) && (state === "MISSING" || state === "WRONG");
}

async function allRefused(reader: Reader, workspace: number, nowMs: number): Promise<OverviewNeed[]> {
  const found = await refusedThroughout(reader, iso(nowMs - DAY_MS), workspace);
  return found.map(({ count, since }) => ({ kind: "ALL_REFUSED", count, since }));
}

async function failedMails(reader: Reader, workspace: number, nowMs: number): Promise<OverviewNeed[]> {
  const failed = await failedOfDay(reader, workspace, nowMs);
  return failed.count === 0 ? [] : [{ kind: "MAILS_FAILED", ...failed }];
}

async function heldCampaigns(reader: Reader, workspace: number, stopped: string | null): Promise<OverviewNeed[]> {
  const campaigns = await campaignsUnderWay(reader, workspace, MOST_CAMPAIGNS);
  return campaigns.flatMap((campaign): OverviewNeed[] => {
    const reason = reasonOf(campaign, stopped);
    // A pause is intended.
    if (reason === null || reason === "CAMPAIGN_PAUSED") return [];
    const { id: campaignId, name, blocked } = campaign;
    return [{ kind: "CAMPAIGN_HELD", campaignId, name, reason, text: blocked ?? stopped }];
  });
}

/** Before they stop marketing mail; then one line reports that. */
async function highRates(
  reader: Reader,
  { workspace, nowMs, healthLimits: limits }: OverviewTerms,
): Promise<OverviewNeed[]> {
  const health = await healthOf(reader, workspace, nowMs, limits);
  const of = {
    BOUNCE_RATE: [health.bounceRate, limits.bounceRateWarning, limits.bounceRateStop],
    COMPLAINT_RATE: [health.complaintRate, limits.complaintRateWarning, limits.complaintRateStop],
  } as const;
  return health.warnings.map((what): OverviewNeed => {
    const [rate, limit, stop] = of[what];
    return { kind: "RATE_HIGH", what, rate, limit, stopsAt: stop > 0 ? stop : null, since: health.since };
  });
}

const FAILED_WITHIN_MS = 7 * DAY_MS;

async function campaignsThatFailed(reader: Reader, workspace: number, nowMs: number): Promise<OverviewNeed[]> {
  const campaigns = await failedCampaigns(reader, workspace, iso(nowMs - FAILED_WITHIN_MS), MOST_CAMPAIGNS);
  return campaigns.map(({ id: campaignId, name, startedAt: since }): OverviewNeed => ({
    kind: "CAMPAIGN_FAILED",
    campaignId,
    name,
    since,
  }));
}

async function failedWebhooks(reader: Reader, workspace: number, nowMs: number): Promise<OverviewNeed[]> {
  const since = iso(nowMs - DAY_MS);
  const { count, lastAt } = await countGivenUp(reader, workspace, since, MOST_WEBHOOKS);
  if (lastAt === null) return [];
  return [{ kind: "WEBHOOKS_FAILED", since, lastAt, count: { count, isLowerBound: count === MOST_WEBHOOKS } }];
}

async function notesFor(reader: Reader, { workspace, user }: OverviewTerms): Promise<OverviewNeed[]> {
  if (user === null) return [];
  return (await openNotesFor(reader, workspace, user, MOST_NOTES)).map(
    ({ id: noteId, contactId, email, authorName: from, text, createdAt: since }): OverviewNeed => ({
      ...{ kind: "NOTE", noteId, contactId, email, from, since },
      text: text.slice(0, CHARS_OF_NOTE),
    }),
  );
}

async function webhooksOff(reader: Reader, workspace: number): Promise<OverviewNeed[]> {
  const off = (await endpointsOf(reader, workspace)).filter(({ offAt }) => offAt !== null);
  return off.map(({ id: webhookId, url, description, offAt }): OverviewNeed => ({
    kind: "WEBHOOK_OFF",
    webhookId,
    host: new URL(url).host,
    description,
    since: offAt as string,
  }));
}

const MOST_BACKUPS = 50;
const MOST_FAULTS = 20;

async function needsOfServer(
  reader: Reader,
  { config, disk }: NonNullable<OverviewTerms["server"]>,
  nowMs: number,
): Promise<OverviewNeed[]> {
  const backup = backupOf(config, await lastBackups(reader, MOST_BACKUPS));
  const fault = backupFault(backup, nowMs);
  const { lastAt, lastError: text } = backup;
  const { path, freeBytes } = disk;
  const unread = await unreadMessages(reader, iso(nowMs - DAY_MS));
  return [
    ...(fault === null ? [] : [{ kind: "BACKUP_MISSING" as const, fault, lastAt, text }]),
    ...(await faultsOfServer(reader, MOST_FAULTS)).map((fault): OverviewNeed => ({
      kind: "SEEN_FROM_OUTSIDE",
      ...fault,
    })),
    ...(unread === null ? [] : [{ kind: "INBOUND_UNREAD" as const, ...unread }]),
    ...(isShort(disk) ? [{ kind: "DISK_SHORT" as const, path, freeBytes: freeBytes ?? 0 }] : []),
  ];
}

async function firstSteps(reader: Reader, own: Workspace, bounces: BounceWay): Promise<Overview["firstSteps"]> {
  const { seq: workspace } = own;
  const { brand } = await findBrand(reader, workspace);
  return {
    named: isNamed(own),
    mailSent: await hasSent(reader, workspace),
    domainVerified: await hasSeenDomain(reader, workspace),
    bouncesSetUp: (bounces === "return path" && (await hasReturned(reader))) || (await hasNotices(reader)),
    contacts: (await keptCount(reader, workspace, true)) > 0,
    team: (await countMembers(reader, workspace)) > 1,
    brand: brand.logoUrl !== null || Object.keys(brand.colors).length > 0,
    ...(await madeIn(reader, workspace)),
  };
}
