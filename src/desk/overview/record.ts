// The overview of a workspace as the interface shows it.
import { t } from "elysia";
import { clockBehind, clockInDoubt } from "./clock-record.ts";
import { noteForYou } from "../notes/record.ts";
import { ASPECTS } from "../../operator/watch/seen.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";

const domainFailing = t.Object(
  {
    kind: t.Literal("DOMAIN_FAILING"),
    since: timeShape,
    domainId: idShape,
    domain: t.String(),
    problem: nullable(t.String()),
  },
  { title: "DomainFailing" },
);
const domainChanged = t.Object(
  {
    kind: t.Literal("DOMAIN_CHANGED"),
    since: timeShape,
    domainId: idShape,
    domain: t.String(),
    what: oneOf("SPF", "DMARC", "RETURN_PATH", "INBOUND", "BLOCKLIST"),
    problem: nullable(t.String()),
  },
  {
    title: "DomainChanged",
    description: "A record that was in order no longer is, or the domain is on a blocklist; it goes on sending.",
  },
);
const linkHostFailing = t.Object(
  { kind: t.Literal("LINK_HOST_FAILING"), since: timeShape, host: t.String(), problem: nullable(t.String()) },
  {
    title: "LinkHostFailing",
    description: "The host of the workspace's links does not lead here; links of new emails name the server's.",
  },
);
const mailsFailed = t.Object(
  {
    kind: t.Literal("MAILS_FAILED"),
    since: t.String({
      format: "date-time",
      description: "The `failedSince` of `GET /emails` that lists these emails.",
    }),
    count: countShape,
  },
  { title: "MailsFailed" },
);
const rateHigh = t.Object(
  {
    kind: t.Literal("RATE_HIGH"),
    what: oneOf("BOUNCE_RATE", "COMPLAINT_RATE"),
    rate: t.Number({ minimum: 0, maximum: 100, description: "In per cent, as `GET /workspace/health` has it." }),
    limit: t.Number({ minimum: 0, description: "From here on there is a warning." }),
    stopsAt: t.Union([t.Number({ minimum: 0 }), t.Null()], {
      description: "From here on marketing email is stopped; null = it never is.",
    }),
    since: timeShape,
  },
  { title: "RateHigh" },
);
const campaignFailed = t.Object(
  { kind: t.Literal("CAMPAIGN_FAILED"), campaignId: idShape, name: t.String(), since: timeShape },
  { title: "CampaignFailed", description: "In the last seven days: emails were refused, and none has left." },
);
const campaignHeld = t.Object(
  {
    kind: t.Literal("CAMPAIGN_HELD"),
    campaignId: idShape,
    name: t.String(),
    reason: oneOf("DOMAIN_NOT_VERIFIED", "MARKETING_STOPPED"),
    text: nullable(t.String()),
  },
  { title: "CampaignHeld" },
);
const backupMissing = t.Object(
  {
    kind: t.Literal("BACKUP_MISSING"),
    fault: oneOf("FAILED", "NONE", "LATE"),
    lastAt: nullable(timeShape),
    text: nullable(t.String()),
  },
  {
    title: "BackupMissing",
    description: "For owners. FAILED: the last one, for the reason in `text`. LATE: it is due.",
  },
);
const seenFromOutside = t.Object(
  {
    kind: t.Literal("SEEN_FROM_OUTSIDE"),
    aspect: oneOf(...ASPECTS),
    subject: t.String({ description: "A name or an address." }),
    by: t.String({ description: "The blocklist, or the name that an address should have; empty for the others." }),
    detail: { ...nullable(t.String()), description: "What was found instead; null = nothing." },
    since: timeShape,
  },
  {
    title: "SeenFromOutside",
    description: "For owners: what only others can see of the server, as the daily look found it.",
  },
);
const diskShort = t.Object(
  { kind: t.Literal("DISK_SHORT"), path: t.String(), freeBytes: countShape },
  { title: "DiskShort", description: "For owners." },
);
const inboundUnread = t.Object(
  { kind: t.Literal("INBOUND_UNREAD"), count: countShape, since: timeShape },
  {
    title: "InboundUnread",
    description:
      "For owners: messages from outside that could not be read, within the last day. Bounces are read again, and email is kept unread.",
  },
);
const allRefused = t.Object(
  {
    kind: t.Literal("ALL_REFUSED"),
    count: { ...countShape, description: "At least 5, and at most 1,000 are counted." },
    since: { ...timeShape, description: "When the first of them was tried, within the last day." },
  },
  { title: "AllRefused", description: "The last emails were all refused or bounced, and none was taken since." },
);
const webhooksFailed = t.Object(
  {
    kind: t.Literal("WEBHOOKS_FAILED"),
    since: timeShape,
    lastAt: timeShape,
    count: t.Object({ count: countShape, isLowerBound: t.Boolean() }),
  },
  { title: "WebhooksFailed" },
);
const webhookOff = t.Object(
  {
    kind: t.Literal("WEBHOOK_OFF"),
    webhookId: idShape,
    host: t.String(),
    description: nullable(t.String()),
    since: timeShape,
  },
  { title: "WebhookOff", description: "It was switched off, since no call had got through for three days." },
);
const marketingStopped = t.Object(
  { kind: t.Literal("MARKETING_STOPPED"), text: t.String() },
  { title: "MarketingStopped" },
);
const away = { since: nullable(timeShape), reply: nullable(t.String()) };
const relayAway = t.Object({ kind: t.Literal("RELAY_AWAY"), ...away }, { title: "RelayAway" });
const wayAway = t.Object(
  { kind: t.Literal("WAY_AWAY"), name: t.String(), ...away },
  { title: "WayAway", description: "One of several ways out. Email leaves by the others." },
);
const wayRefuses = t.Object(
  {
    ...{ kind: t.Literal("WAY_REFUSES"), way: t.String(), domainId: idShape, domain: t.String(), since: timeShape },
    ...{ problem: nullable(t.String()), problemCode: nullable(t.String()) },
    problemValues: t.Record(t.String(), t.String()),
  },
  {
    title: "WayRefuses",
    description: "A way out does not know the sender domain. Its email leaves by the others, or waits.",
  },
);
const providerPaused = t.Object(
  {
    kind: t.Literal("PROVIDER_PAUSED"),
    brakeId: idShape,
    mailbox: t.String({ description: "As in `brakes` of `GET /queue`." }),
    way: t.String(),
    since: timeShape,
    pausedUntil: timeShape,
    reply: t.String({ description: "What the provider said, without addresses." }),
  },
  {
    title: "ProviderPaused",
    description: "A mailbox provider takes none of the email because of its reputation. It is asked again later.",
  },
);
const warmupHalted = t.Object(
  { kind: t.Literal("WARMUP_HALTED"), domainId: idShape, domain: t.String(), reason: t.String(), since: timeShape },
  {
    title: "WarmupHalted",
    description: "Too much of what a new domain sent bounced or was marked as spam, so its warm-up stopped by itself.",
  },
);
const certificate = t.Object(
  {
    kind: t.Literal("CERTIFICATE"),
    of: t.Array(oneOf("HTTPS", "SMTP")),
    validTo: {
      ...nullable(timeShape),
      description: "null = it cannot be read; the server goes on with the one before.",
    },
    fault: { ...nullable(t.String()), description: "Why there is no newer one; null = nobody has tried." },
  },
  { title: "CertificateNeed", description: "It cannot be renewed or read, or ends within two weeks." },
);
const sendingHeld = t.Object({ kind: t.Literal("SENDING_HELD"), since: timeShape }, { title: "SendingHeld" });

export const overviewShape = t.Object(
  {
    attention: t.Array(
      t.Union(
        [
          clockInDoubt,
          clockBehind,
          sendingHeld,
          relayAway,
          wayAway,
          wayRefuses,
          certificate,
          providerPaused,
          warmupHalted,
          marketingStopped,
          domainFailing,
          domainChanged,
          linkHostFailing,
          allRefused,
          mailsFailed,
          campaignHeld,
          campaignFailed,
          rateHigh,
          webhooksFailed,
          webhookOff,
          backupMissing,
          seenFromOutside,
          diskShort,
          inboundUnread,
          noteForYou,
        ],
        {
          discriminator: "kind",
        },
      ),
    ),
    firstSteps: t.Object({
      named: t.Boolean({ description: "Somebody has given the workspace a name." }),
      mailSent: t.Boolean({ description: "Email to the team, such as an invitation, does not count." }),
      domainVerified: t.Boolean({ description: "By its record; the domain for trying things out does not count." }),
      bouncesSetUp: t.Boolean({
        description:
          "A message has come to a return path, or Amazon SES or a provider has reported something: a setting alone is not enough.",
      }),
      contacts: t.Boolean({
        description: "There are subscribed contacts; who gets a transactional email is not subscribed by it.",
      }),
      team: t.Boolean({ description: "More than one user can sign in." }),
      brand: t.Boolean({ description: "The brand has a logo or a color." }),
      template: t.Boolean({ description: "There is a template." }),
      campaign: t.Boolean({ description: "There is a campaign." }),
      webhook: t.Boolean({ description: "There is a webhook." }),
    }),
  },
  { title: "Overview" },
);

export type Overview = typeof overviewShape.static;
export type OverviewNeed = Overview["attention"][number];

export const statesShape = t.Object(
  {
    since: timeShape,
    accepted: t.Number({ minimum: 0, multipleOf: 1, description: "The sum of the others." }),
    isLowerBound: t.Boolean({ description: "Counting stopped at some bound: there may be more." }),
    waiting: t.Number({ minimum: 0, multipleOf: 1, description: "QUEUED or SENDING." }),
    sent: t.Number({ minimum: 0, multipleOf: 1, description: "SENT or DELIVERED." }),
    perhapsDelivered: countShape,
    failed: countShape,
    skipped: t.Number({
      minimum: 0,
      multipleOf: 1,
      description: "Not sent: the recipient was not subscribed any more.",
    }),
    cancelled: countShape,
    bounced: countShape,
    complained: countShape,
  },
  { title: "MailStates" },
);

export type States = typeof statesShape.static;
