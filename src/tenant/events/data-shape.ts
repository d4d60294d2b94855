// The data of what happens, piece by piece: the catalog has each piece in its row.
import { t, type TSchema } from "elysia";

export const text = t.String();
export const time = t.String({ format: "date-time" });
export const count = t.Number({ minimum: 0, multipleOf: 1 });
export const id = t.String({ format: "uuid" });
const textOrNull = t.Union([text, t.Null()]);
const verdict = oneOf("PASS", "FAIL", "GRAY", "PROCESSING_FAILED");

const ofMail = {
  subject: text,
  from: text,
  templateId: textOrNull,
  campaignId: textOrNull,
  sourceType: oneOf("TRANSACTIONAL", "CAMPAIGN", "WORKFLOW", "INBOUND"),
  emailId: id,
  /** Only for mails with labels. */
  tags: t.Optional(t.Array(text)),
  metadata: t.Optional(t.Record(text, text)),
};
const ofMessage = { fromName: text, messageId: text };
/** The base fields of every event about a sent mail. */
export const mailBase = { ...ofMail, ...ofMessage };

export function mailEvent<Fields extends Record<string, TSchema>>(fields: Fields) {
  return exactly({ ...mailBase, ...fields });
}

export const acceptedMail = exactly({ ...ofMail, to: text, sendAt: time });

export function mailNotice<Fields extends Record<string, TSchema>>(fields: Fields) {
  return exactly({ ...mailBase, to: text, reason: text, attempts: count, ...fields });
}

export const receivedMail = exactly({
  emailId: id,
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
});

export const hardBounce = mailEvent({ bounceType: t.Literal("Permanent"), bouncedAt: time });
export const softBounce = mailEvent({ bounceType: t.Literal("Transient"), transientBounce: t.Literal(true) });
export const bounce = t.Union([hardBounce, softBounce]);

export const opened = mailEvent({ openedAt: time, opens: count, isFirstOpen: t.Boolean() });
export const clicked = mailEvent({ link: text, clickedAt: time, clicks: count, isFirstClick: t.Boolean() });

const ofCampaign = { campaignId: id, name: text };
export const campaign = exactly(ofCampaign);
export const blockedCampaign = exactly({ ...ofCampaign, reason: text });

const ofDomain = { domainId: id, domain: text };
export const domain = exactly(ofDomain);
/** DKIM decides whether it may send. */
const what = oneOf("DKIM", "SPF", "DMARC", "RETURN_PATH", "INBOUND", "BLOCKLIST");
export const domainRecord = exactly({ ...ofDomain, what });
export const failingDomain = exactly({ ...ofDomain, what, problem: textOrNull });

export const finishedImport = exactly({
  jobId: id,
  status: oneOf("COMPLETED", "FAILED"),
  created: count,
  updated: count,
  failed: count,
});

/** An address or a domain: the other one is null. */
export const suppression = exactly({
  suppressionId: id,
  address: textOrNull,
  domain: textOrNull,
  reason: oneOf("bounce", "complaint", "soft-bounces", "manual", "import", "erased"),
  scope: oneOf("all", "marketing"),
  until: t.Union([time, t.Null()]),
});

export const segment = exactly({ segmentId: id, segmentName: text });
export const nothing = exactly({});

export function exactly<Fields extends Record<string, TSchema>>(fields: Fields) {
  return t.Object(fields, { additionalProperties: false });
}

export function oneOf<const Word extends string>(...words: readonly Word[]) {
  return t.Union(words.map((word) => t.Literal(word)));
}
