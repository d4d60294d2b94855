// A broadcast in Resend's fields: a campaign to the people of a segment (docs/compat/resend.md).
import type { Campaign, CampaignStatus } from "../../campaigns/queries.ts";
import { invalidField } from "../../../base/errors.ts";
import { ignoredIn, nameIgnored, objectIn, type JsonFields, type FieldSupport } from "../fields.ts";
import type { CompatRequest } from "../own-calls.ts";
import { oneReply } from "./fields.ts";
import { liquidFrom } from "./placeholders.ts";

const FIELDS: FieldSupport = {
  taken: [
    ...["name", "segment_id", "audience_id", "from", "subject", "html", "text", "reply_to", "preview_text"],
    ...["send", "scheduled_at", "topic_id"],
  ],
  refused: {},
};

const STATUS: Readonly<Record<CampaignStatus, string>> = {
  DRAFT: "draft",
  SCHEDULED: "scheduled",
  SENDING: "queued",
  SENT: "sent",
  CANCELLED: "canceled",
};

/** The body for our call. `topic`: the key of its topic; null = none. */
export function campaignFrom({ body, set }: CompatRequest, topic: string | null | undefined): JsonFields {
  const given = objectIn("request", body);
  nameIgnored(set.headers, ignoredIn(given, FIELDS));
  const segment = given["segment_id"] ?? given["audience_id"];
  return {
    name: given["name"],
    from: given["from"],
    subject: liquidFrom("subject", given["subject"]),
    body: liquidFrom("html", given["html"]),
    text: liquidFrom("text", given["text"]),
    preheader: liquidFrom("preview_text", given["preview_text"]),
    replyTo: oneReply(given["reply_to"]),
    topic,
    ...(segment == null ? {} : { audienceType: "SEGMENT", segmentId: segment }),
  };
}

/** @throws AppError VALIDATION_ERROR for a field that is optional in Resend's broadcasts and required in ours */
export function newCampaignFrom(asked: CompatRequest, topic: string | null | undefined): JsonFields {
  const campaign = campaignFrom(asked, topic);
  if (campaign["segmentId"] == null)
    throw invalidField("segment_id", "Whom the broadcast is for is missing.", "required");
  if (campaign["body"] == null)
    throw invalidField("html", "Posthorn's campaigns have HTML: text alone is not sent.", "required");
  return { ...campaign, name: campaign["name"] ?? campaign["subject"] };
}

export function summaryOf(campaign: Campaign) {
  const { id, name, segmentId, status, createdAt, scheduledFor, sentAt } = campaign;
  return {
    ...{ id, name, audience_id: segmentId, segment_id: segmentId, status: STATUS[status] },
    ...{ created_at: createdAt, scheduled_at: scheduledFor, sent_at: sentAt },
  };
}

/** `topicId`: of its topic. */
export function broadcastRecord(campaign: Campaign, topicId: string | null) {
  const { fromAddress, fromName, subject, replyTo, preheader, body, text } = campaign;
  return {
    ...summaryOf(campaign),
    from: fromName ? `${fromName} <${fromAddress}>` : fromAddress,
    subject,
    reply_to: replyTo === null ? null : [replyTo],
    preview_text: preheader,
    topic_id: topicId,
    html: body,
    text,
  };
}
