// The needs of a workspace in the API: a shape for each kind.
import { t, type TSchema } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import { ASPECTS } from "../../watch/seen.ts";

const text = t.String();
const away = { since: nullable(timeShape), reply: nullable(text) };

export const NEED_SHAPES = [
  need(
    "CLOCK_IN_DOUBT",
    {
      since: { ...timeShape, description: "What the clock said as it jumped." },
      seenAt: { ...nullable(timeShape), description: "The latest time that the server had seen before." },
    },
    "Nothing is deleted by age and no scheduled email leaves until the clock is believed.",
  ),
  need(
    "CLOCK_BEHIND",
    { seenAt: { ...timeShape, description: "The latest time that the server has seen, which is later than now." } },
    "The clock is wrong, or it was. Email gets the time of now, and scheduled email leaves by it.",
  ),
  need("SENDING_HELD", { since: timeShape }),
  need("RELAY_AWAY", away),
  need("WAY_AWAY", { name: text, ...away }, "One of several sending routes. Email leaves by the others."),
  need(
    "WAY_REFUSES",
    {
      ...{ way: text, domainId: idShape, domain: text, since: timeShape },
      ...{ problem: nullable(text), problemCode: nullable(text), problemValues: t.Record(t.String(), text) },
    },
    "A sending route does not know the sender domain. Its email leaves by the others, or waits.",
  ),
  need(
    "CERTIFICATE",
    {
      of: t.Array(oneOf("HTTPS", "SMTP")),
      validTo: {
        ...nullable(timeShape),
        description: "null = it cannot be read; the server goes on with the one before.",
      },
      fault: { ...nullable(text), description: "Why there is no newer one; null = nobody has tried." },
    },
    "It cannot be renewed or read, or ends within two weeks.",
    "CertificateNeed",
  ),
  need(
    "PROVIDER_PAUSED",
    {
      brakeId: idShape,
      mailbox: t.String({ description: "As in `brakes` of `GET /queue`." }),
      ...{ way: text, since: timeShape, pausedUntil: timeShape },
      reply: t.String({ description: "What the provider said, without addresses." }),
    },
    "A mailbox provider takes none of the email because of its reputation. It is asked again later.",
  ),
  need(
    "WARMUP_HALTED",
    { domainId: idShape, domain: text, reason: text, since: timeShape },
    "Too much of what a new domain sent bounced or was marked as spam, so its warm-up stopped by itself.",
  ),
  need("MARKETING_STOPPED", { text }),
  need("DOMAIN_FAILING", { since: timeShape, domainId: idShape, domain: text, problem: nullable(text) }),
  need(
    "DOMAIN_CHANGED",
    {
      ...{ since: timeShape, domainId: idShape, domain: text },
      what: oneOf("SPF", "DMARC", "RETURN_PATH", "INBOUND", "BLOCKLIST"),
      problem: nullable(text),
    },
    "A record that was in order no longer is, or the domain is on a blocklist; it goes on sending.",
  ),
  need(
    "LINK_HOST_FAILING",
    { since: timeShape, host: text, problem: nullable(text) },
    "The host of the workspace's links does not lead here; links of new emails name the server's.",
  ),
  need(
    "ALL_REFUSED",
    {
      count: { ...countShape, description: "At least 5, and at most 1,000 are counted." },
      since: { ...timeShape, description: "When the first of them was tried, within the last day." },
    },
    "The last emails were all refused or bounced, and none was taken since.",
  ),
  need("MAILS_FAILED", {
    since: t.String({
      format: "date-time",
      description: "The `failedSince` of `GET /emails` that lists these emails.",
    }),
    count: countShape,
  }),
  need("CAMPAIGN_HELD", {
    ...{ campaignId: idShape, name: text, reason: oneOf("DOMAIN_NOT_VERIFIED", "MARKETING_STOPPED") },
    text: nullable(text),
  }),
  need(
    "CAMPAIGN_FAILED",
    { campaignId: idShape, name: text, since: timeShape },
    "In the last seven days: emails were refused, and none has left.",
  ),
  need("RATE_HIGH", {
    what: oneOf("BOUNCE_RATE", "COMPLAINT_RATE"),
    rate: t.Number({ minimum: 0, maximum: 100, description: "In per cent, as `GET /workspace/health` has it." }),
    limit: t.Number({ minimum: 0, description: "From here on there is a warning." }),
    stopsAt: t.Union([t.Number({ minimum: 0 }), t.Null()], {
      description: "From here on marketing email is stopped; null = it never is.",
    }),
    since: timeShape,
  }),
  need("WEBHOOKS_FAILED", {
    ...{ since: timeShape, lastAt: timeShape },
    count: t.Object({ count: countShape, isLowerBound: t.Boolean() }),
  }),
  need(
    "WEBHOOK_OFF",
    { webhookId: idShape, host: text, description: nullable(text), since: timeShape },
    "It was switched off, since no call had got through for three days.",
  ),
  need(
    "BACKUP_MISSING",
    { fault: oneOf("FAILED", "NONE", "LATE"), lastAt: nullable(timeShape), text: nullable(text) },
    "For owners. FAILED: the last one, for the reason in `text`. LATE: it is due.",
  ),
  need(
    "SEEN_FROM_OUTSIDE",
    {
      aspect: oneOf(...ASPECTS),
      subject: t.String({ description: "A name or an address." }),
      by: t.String({ description: "The blocklist, or the name that an address should have; empty for the others." }),
      detail: { ...nullable(text), description: "What was found instead; null = nothing." },
      since: timeShape,
    },
    "For owners: what only others can see of the server, as the daily look found it.",
  ),
  need(
    "MAILBOX_AWAY",
    { name: text, problem: text, since: timeShape },
    "For owners: a bounce mailbox that cannot be read. What relays return to it waits there.",
  ),
  need("DISK_SHORT", { path: text, freeBytes: countShape }, "For owners."),
  need(
    "INBOUND_UNREAD",
    { count: countShape, since: timeShape },
    "For owners: messages from outside that could not be read, within the last day. Bounces are read again, and email is kept unread.",
  ),
] as const;

export type Need = (typeof NEED_SHAPES)[number]["static"];
export type NeedKind = Need["kind"];

/** Its title is its kind unless given: `ClockInDoubt`. */
function need<const Kind extends string, const Fields extends Readonly<Record<string, TSchema>>>(
  kind: Kind,
  fields: Fields,
  description?: string,
  title = kind.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase()),
) {
  return t.Object({ kind: t.Literal(kind), ...fields }, { title, ...(description ? { description } : {}) });
}
