// Every event that Posthorn itself emits, each with its data. All other names belong to callers of /v1/track.
import { t, type Static, type TSchema } from "elysia";

const text = t.String();
const time = t.String({ format: "date-time" });
const count = t.Number({ minimum: 0, multipleOf: 1 });
const textOrNull = t.Union([text, t.Null()]);
const verdict = oneOf("PASS", "FAIL", "GRAY", "PROCESSING_FAILED");

/** Only for mails with labels. */
const labels = {
  tags: t.Optional(t.Array(text)),
  metadata: t.Optional(t.Record(text, text)),
};

/** The data of every event about a sent mail. */
const mail = {
  ...labels,
  subject: text,
  from: text,
  fromName: text,
  messageId: text,
  emailId: t.String({ format: "uuid" }),
  templateId: textOrNull,
  campaignId: textOrNull,
  sourceType: oneOf("TRANSACTIONAL", "CAMPAIGN", "WORKFLOW", "INBOUND"),
};

const MAIL_EVENTS = {
  "email.sent": about({ sentAt: time }),
  "email.delivery": about({ deliveredAt: time }),
  "email.open": about({ openedAt: time, opens: count, isFirstOpen: t.Boolean() }),
  "email.click": about({ link: text, clickedAt: time, clicks: count, isFirstClick: t.Boolean() }),
  "email.bounce": t.Union([
    about({ bounceType: t.Literal("Permanent"), bouncedAt: time }),
    about({ bounceType: t.Literal("Transient"), transientBounce: t.Literal(true) }),
  ]),
  "email.complaint": about({ complainedAt: time }),
} as const;

export const INTERNAL_EVENTS = {
  ...MAIL_EVENTS,
  "email.received": exactly({
    emailId: t.String({ format: "uuid" }),
    messageId: text,
    inReplyTo: textOrNull,
    references: t.Array(text),
    from: text,
    fromHeader: text,
    to: text,
    subject: text,
    timestamp: time,
    recipients: t.Array(text),
    addressed: t.Object({ to: t.Array(text), cc: t.Array(text) }),
    hasContent: t.Boolean(),
    body: text,
    text,
    attachments: t.Array(t.Object({ id: text, filename: textOrNull, contentType: text, size: count })),
    spamVerdict: verdict,
    virusVerdict: verdict,
    spfVerdict: verdict,
    dkimVerdict: verdict,
    dmarcVerdict: verdict,
    processingTimeMillis: count,
  }),
  "contact.subscribed": exactly({}),
  "contact.unsubscribed": exactly({ reason: t.Optional(oneOf("bounce", "complaint")) }),
  "contact.paused": exactly({ until: time }),
  "contact.resumed": exactly({}),
  "contact.merged": exactly({ formerId: t.String({ format: "uuid" }), formerEmail: text }),
  "topic.joined": exactly({ topic: text }),
  "topic.left": exactly({ topic: text }),
} as const;

const mailFacts = {
  emailId: t.String({ format: "uuid" }),
  to: text,
  subject: text,
  from: text,
  templateId: textOrNull,
  campaignId: textOrNull,
  sourceType: mail.sourceType,
  ...labels,
};
const ofMessage = { fromName: text, messageId: text };
const campaign = { campaignId: t.String({ format: "uuid" }), name: text };
const ofDomain = {
  domainId: t.String({ format: "uuid" }),
  domain: text,
  /** DKIM decides whether it may send. */
  what: oneOf("DKIM", "SPF", "DMARC", "RETURN_PATH", "INBOUND", "BLOCKLIST"),
};
/** An address or a domain: the other one is null. */
const suppression = exactly({
  suppressionId: t.String({ format: "uuid" }),
  address: textOrNull,
  domain: textOrNull,
  reason: oneOf("bounce", "complaint", "soft-bounces", "manual", "import", "erased"),
  scope: oneOf("all", "marketing"),
  until: t.Union([time, t.Null()]),
});

/** Notices for endpoints alone: they are not events of the log, and have no consequences here. */
export const NOTICES = {
  "email.accepted": exactly({ ...mailFacts, sendAt: time }),
  "email.deferred": exactly({ ...mailFacts, ...ofMessage, reason: text, attempts: count, nextAttemptAt: time }),
  "email.failed": exactly({ ...mailFacts, ...ofMessage, reason: text, attempts: count }),
  "contact.created": exactly({}),
  "contact.updated": exactly({}),
  "contact.erased": exactly({ contactId: t.String({ format: "uuid" }) }),
  "campaign.started": exactly(campaign),
  "campaign.finished": exactly(campaign),
  "campaign.blocked": exactly({ ...campaign, reason: text }),
  "domain.verified": exactly({ domainId: t.String({ format: "uuid" }), domain: text }),
  "domain.failing": exactly({ ...ofDomain, problem: textOrNull }),
  "domain.recovered": exactly(ofDomain),
  "import.finished": exactly({
    jobId: t.String({ format: "uuid" }),
    status: oneOf("COMPLETED", "FAILED"),
    created: count,
    updated: count,
    failed: count,
  }),
  "suppression.added": suppression,
  "suppression.removed": suppression,
} as const;
export type NoticeType = keyof typeof NOTICES;
export type NoticeData<Type extends NoticeType> = Static<(typeof NOTICES)[Type]>;

/** `segment.<slug>.entry` and `segment.<slug>.exit`. */
const SEGMENT_EVENT = exactly({ segmentId: t.String({ format: "uuid" }), segmentName: text });

export type MailEvent = keyof typeof MAIL_EVENTS;

/** The data of an event about a mail beside the base fields, for the named event alone. */
export type MailFacts<Name extends MailEvent> = Without<Static<(typeof MAIL_EVENTS)[Name]>, keyof typeof mail>;

type Without<Data, Key extends PropertyKey> = Data extends unknown ? Omit<Data, Key> : never;

/** True for names that cannot be tracked by hand. */
export function isReservedEvent(name: string): boolean {
  return dataShapeOf(name) !== null;
}

/** The shape of an internal event's data; null for names that belong to callers. */
export function dataShapeOf(name: string) {
  if (Object.hasOwn(INTERNAL_EVENTS, name)) return INTERNAL_EVENTS[name as keyof typeof INTERNAL_EVENTS];
  return /^segment\..*\.(entry|exit)$/s.test(name) ? SEGMENT_EVENT : null;
}

/** The type of an event: custom ones are `event.tracked`, and entries and exits of any segment are one type each. */
export function typeOf(name: string): string {
  const shape = dataShapeOf(name);
  if (shape === null) return "event.tracked";
  return shape === SEGMENT_EVENT ? `segment.${name.endsWith(".entry") ? "entry" : "exit"}` : name;
}

function about<Facts extends Record<string, TSchema>>(facts: Facts) {
  return exactly({ ...mail, ...facts });
}

function exactly<Fields extends Record<string, TSchema>>(fields: Fields) {
  return t.Object(fields, { additionalProperties: false });
}

function oneOf<const Word extends string>(...words: readonly Word[]) {
  return t.Union(words.map((word) => t.Literal(word)));
}
