// The kinds of needs, a row for each: how it is found in a workspace and told to its people (docs/face/overview.md),
// and how the operator is told: in `posthorn status`, in the log and by alerts (docs/operate/alerts.md).
import { needsOf, needsSomebody } from "../../../base/certificates/state.ts";
import { DAY_MS, iso } from "../../../base/clock.ts";
import { unusedText } from "../../../base/config/kept.ts";
import { refusedThroughout } from "../../../mail/emails/health/queries.ts";
import { failingMailboxes } from "../../../mail/inbound/mailbox/queries.ts";
import { unreadMessages } from "../../../mail/inbound/queries.ts";
import { failedOfDay } from "../../../mail/statistics/statistics.ts";
import { haltedWarmups } from "../../../sending/warmup/queries.ts";
import { behindIn, doubtIn } from "../../../store/clock-queries.ts";
import { heldSince } from "../../../store/hold.ts";
import { isShort } from "../../../store/space.ts";
import { lastBackups } from "../../backup/queries.ts";
import { backupFault, backupOf, backupProblem } from "../../backup/state.ts";
import { faultsOfServer } from "../../watch/queries.ts";
import { keyOf, sentenceOf } from "../../watch/seen.ts";
import {
  campaignsThatFailed,
  domainsChanged,
  domainsFailing,
  domainsRefused,
  failedWebhooks,
  heldCampaigns,
  highRates,
  hostsFailing,
  pausedProviders,
  waysAway,
  webhooksOff,
} from "./in-workspace.ts";
import type { NeedTable } from "./row.ts";

const LATE_SECONDS = 300;
const MOST_WARMUPS = 10;
const MOST_BACKUPS = 50;
const MOST_FAULTS = 20;
const NAMES = { SPF: "SPF record", DMARC: "DMARC record", RETURN_PATH: "MX record", INBOUND: "MX record" } as const;
const RATES = { BOUNCE_RATE: "bounces", COMPLAINT_RATE: "complaints" } as const;

/** In the order of the overview. */
export const NEEDS: NeedTable = {
  NOT_READY: {
    line: 0,
    told: (_, { problem = null }) => oneFor(problem, (why) => ["server", `The server is not ready: ${why}`]),
  },
  CLOCK_IN_DOUBT: {
    inWorkspace: (_, { clock: { seenAt, doubtedAt } }) => oneFor(doubtedAt, (since) => ({ since, seenAt })),
    line: 5,
    told: ({ clock }) => oneFor(doubtIn(clock), (text) => ["clock", text]),
  },
  CLOCK_BEHIND: {
    inWorkspace: (_, { clock, nowMs }) =>
      clock.doubtedAt !== null || clock.seenAt === null || behindIn(clock, nowMs) === null
        ? []
        : [{ seenAt: clock.seenAt }],
    line: 6,
    told: ({ clockBehind }) => oneFor(clockBehind, (text) => ["clock behind", text]),
  },
  SENDING_HELD: {
    inWorkspace: async (reader) => oneFor(await heldSince(reader), (since) => ({ since })),
    line: 4,
    told: ({ heldSince: held }) =>
      oneFor(held, (since) => ["held", `The installation is held since ${since}: posthorn release lets email leave.`]),
  },
  RELAY_AWAY: {
    inWorkspace: (_, { relay: { state, since, reply } }) => (state === "AWAY" ? [{ since, reply }] : []),
    line: 1,
    told: (_, { relay, relayReply }) => (relay === "AWAY" ? [["relay", relayText(relayReply)]] : []),
  },
  WAY_AWAY: {
    inWorkspace: (_, { relay }) => waysAway(relay),
    line: 2,
    told: (_, sees) =>
      (sees.relay === "AWAY" ? [] : sees.waysAway).map(({ name, reply }) => [
        `way ${name}`,
        `The sending route ${name} cannot be used${reply ? `: ${reply}` : ""}. Email leaves by the others.`,
      ]),
  },
  STREAM_FAILING: {
    line: 3,
    told: (_, { stream }) =>
      stream === "FAILING"
        ? [
            [
              "stream",
              "Nothing reaches the place of backup.stream; the log says why, and what came since is only here.",
            ],
          ]
        : [],
  },
  QUEUE_LATE: {
    line: 7,
    told: ({ oldestDueSeconds: late, heldSince: held }, { lateSeconds = LATE_SECONDS }) =>
      late > lateSeconds && held === null
        ? [["queue", `Email waits that has been due for ${Math.round(late / 60)} minutes.`]]
        : [],
  },
  CERTIFICATE: {
    inWorkspace: (_, { certificates }) =>
      certificates.filter(needsSomebody).map(({ of, validTo, fault }) => ({ of: [...of], validTo, fault })),
    line: 19,
    byTime: true,
    told: ({ certificates }, _, nowMs) =>
      certificates.flatMap((one) => needsOf(one, nowMs).map((text) => [`certificate ${one.of.join()}`, text])),
  },
  PROVIDER_PAUSED: {
    inWorkspace: pausedProviders,
    line: 12,
    told: ({ brakes }) =>
      brakes
        .filter(({ pausedUntil }) => pausedUntil !== null)
        .map(({ mailbox, workspace, way, text }) => [`brake ${mailbox} ${workspace} ${way}`, text]),
  },
  WARMUP_HALTED: {
    inWorkspace: async (reader, { workspace }) =>
      (await haltedWarmups(reader, workspace, MOST_WARMUPS)).flatMap(({ id: domainId, name: domain, reason, since }) =>
        domainId === null ? [] : [{ domainId, domain, reason, since }],
      ),
    line: 13,
    told: (seen) =>
      seen.haltedWarmups.map(({ name, workspace, reason }) => [
        `warm-up ${name} ${workspace ?? ""}`.trim(),
        `The warm-up of ${name}${workspace === null ? "" : ` (${workspace})`} has halted: ${reason}${workspace === null ? "" : ` See: posthorn domain warmup ${name}`}`,
      ]),
  },
  MARKETING_STOPPED: {
    inWorkspace: (_, { stopped }) => oneFor(stopped, (text) => ({ text })),
    line: 17,
    told: ({ stoppedWorkspaces }) =>
      stoppedWorkspaces.map(({ workspace, reason }) => [
        `stopped ${workspace}`,
        `Marketing email of ${workspace} is stopped: ${reason}`,
      ]),
  },
  RATE_HIGH: {
    inWorkspace: highRates,
    line: 22,
    told: (_, { highRates: rates = [] }) =>
      rates.map(({ what, rate, workspace, name }) => [
        `${what} ${workspace}`,
        `${name} has too many ${RATES[what]}: ${rate} % of its email.`,
      ]),
  },
  DOMAIN_FAILING: {
    inWorkspace: domainsFailing,
    line: 9,
    told: ({ failingDomains }) =>
      failingDomains.map(({ domain, workspace }) => [
        `domain ${domain} ${workspace}`,
        `The DNS record of ${domain} (${workspace}) is gone.`,
      ]),
  },
  WAY_REFUSES: {
    inWorkspace: domainsRefused,
    line: 15,
    told: ({ refusedDomains }) =>
      refusedDomains.map(({ way, domain, workspace, problem }) => [
        `sender ${domain} ${way}`,
        `The sending route ${way} is not used for ${domain} (${workspace}). ${problem ?? ""}`.trim(),
      ]),
  },
  DOMAIN_CHANGED: {
    inWorkspace: domainsChanged,
    line: 10,
    told: ({ changedRecords }) =>
      changedRecords.map(({ what, domain, workspace, problem }) => [
        `record ${what} ${domain} ${workspace}`,
        `The ${NAMES[what]} of ${domain} (${workspace}) is not as it was. ${problem ?? ""}`.trim(),
      ]),
  },
  LINK_HOST_FAILING: {
    inWorkspace: hostsFailing,
    line: 11,
    told: ({ failingHosts }) =>
      failingHosts.map(({ host, workspace }) => [
        `host ${host}`,
        `${host}, which links of ${workspace} name, does not lead here any more.`,
      ]),
  },
  ALL_REFUSED: {
    inWorkspace: async (reader, { workspace, nowMs }) =>
      (await refusedThroughout(reader, iso(nowMs - DAY_MS), workspace)).map(({ count, since }) => ({ count, since })),
    line: 8,
    told: ({ refused }) =>
      refused.map(({ workspace, count, since }) => [
        `refused ${workspace}`,
        `The last ${count} emails of ${workspace} were all refused, the first at ${since}. Each says why.`,
      ]),
  },
  MAILS_FAILED: {
    inWorkspace: async (reader, { workspace, nowMs }) => {
      const failed = await failedOfDay(reader, workspace, nowMs);
      return failed.count === 0 ? [] : [failed];
    },
  },
  CAMPAIGN_HELD: { inWorkspace: heldCampaigns },
  CAMPAIGN_FAILED: { inWorkspace: campaignsThatFailed },
  WEBHOOKS_FAILED: { inWorkspace: failedWebhooks },
  WEBHOOK_OFF: { inWorkspace: webhooksOff },
  BACKUP_MISSING: {
    inServer: async (reader, { config, nowMs }) => {
      const backup = backupOf(config, await lastBackups(reader, MOST_BACKUPS));
      const { lastAt, lastError: text } = backup;
      return oneFor(backupFault(backup, nowMs), (fault) => ({ fault, lastAt, text }));
    },
    line: 20,
    byTime: true,
    told: ({ backup }, _, nowMs) => oneFor(backupProblem(backup, nowMs), (text) => ["backup", text]),
  },
  STANDBY_AWAY: {
    line: 21,
    told: (_, { standbyAway = null }) =>
      oneFor(standbyAway, ({ host, seenAt }) => ["standby", `The standby on ${host} was last there at ${seenAt}.`]),
  },
  SETTING_UNUSED: {
    line: 24,
    told: (_, { unusedSettings = [] }) =>
      unusedSettings.map((problem) => [
        `setting ${problem.key}`,
        `The setting ${unusedText(problem)}. Drop it: posthorn settings reset ${problem.key}`,
      ]),
  },
  SEEN_FROM_OUTSIDE: {
    inServer: (reader) => faultsOfServer(reader, MOST_FAULTS),
    line: 16,
    told: ({ watched }) => watched.map((fault) => [keyOf(fault), sentenceOf(fault)]),
  },
  INBOUND_UNREAD: {
    inServer: async (reader, { nowMs }) =>
      oneFor(await unreadMessages(reader, iso(nowMs - DAY_MS)), (unread) => unread),
    line: 14,
    told: ({ unread }) =>
      oneFor(unread, ({ count, since }) => [
        "unread",
        `Messages from outside could not be read: ${count} since ${since}. Bounces are read again, and email is kept unread; the log says why.`,
      ]),
  },
  MAILBOX_AWAY: {
    inServer: (reader, { config }) => failingMailboxes(reader, config.bounceMailboxes),
    line: 23,
    told: (seen) =>
      seen.failingMailboxes.map(({ name, problem }) => [
        `mailbox ${name}`,
        `The bounce mailbox ${name} cannot be read: ${problem}`,
      ]),
  },
  DISK_SHORT: {
    inServer: (_, { disk }) =>
      oneFor(isShort(disk) ? disk : null, ({ path, freeBytes }) => ({ path, freeBytes: freeBytes ?? 0 })),
    line: 18,
    byTime: true,
    told: ({ disk }) =>
      oneFor(isShort(disk) ? disk : null, ({ path, freeBytes }) => [
        "disk",
        `Only ${Math.round((freeBytes ?? 0) / 1e6)} MB are free on the disk of ${path}.`,
      ]),
  },
};

function relayText(reply: string | null | undefined): string {
  return reply
    ? `The relay cannot be used: ${reply.replace(/\.$/, "")}. Email waits; posthorn doctor tries it.`
    : "The relay cannot be used; email waits. posthorn doctor tries it.";
}

function oneFor<Fact, Of>(fact: Fact | null, make: (fact: Fact) => Of): readonly Of[] {
  return fact === null ? [] : [make(fact)];
}
