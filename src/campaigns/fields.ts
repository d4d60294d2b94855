// The fields of a campaign as callers send them, checked for what they mean, all faults told at once (interface-gaps.md §5).
import { invalidField, readAll } from "../errors.ts";
import { keptSenderName, optionalMailbox, optionalReplyTo } from "../http/address-field.ts";
import { readSource } from "../templates/template.ts";
import type { AudienceType, CampaignFields } from "./queries.ts";

export type CampaignWish = {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly subject?: string | null;
  readonly body?: string | null;
  readonly text?: string | null;
  readonly from?: string | null;
  readonly fromName?: string | null;
  readonly replyTo?: string | null;
  readonly audienceType?: AudienceType | null;
  readonly audienceCondition?: Readonly<Record<string, unknown>> | null;
  readonly segmentId?: string | null;
};

export type AudienceWish = Pick<CampaignFields, "audience_type" | "audience_condition" | "segment_id">;

/** What it says; whether there is such a segment, and what the condition means, is looked at by audience.ts. @throws AppError VALIDATION_ERROR with an item for each field that cannot be kept */
export function checkedFields(base: CampaignFields, wish: CampaignWish): CampaignFields {
  const audience = {
    audience_type: wish.audienceType ?? base.audience_type,
    audience_condition: given(asJson(wish.audienceCondition), base.audience_condition),
    segment_id: given(wish.segmentId, base.segment_id),
  };
  const read = readAll({
    from: () => optionalMailbox("from", wish.from),
    replyTo: () => optionalReplyTo("replyTo", wish.replyTo),
    subject: () => readSource("subject", wish.subject),
    body: () => readSource("body", wish.body),
    text: () => readSource("text", wish.text),
    audience: () => (isNamed(wish) ? complete(audience) : audience),
  });
  return {
    name: wish.name ?? base.name,
    description: given(wish.description, base.description),
    subject: read.subject ?? base.subject,
    body: read.body ?? base.body,
    text: given(read.text, base.text),
    from_address: read.from?.address ?? base.from_address,
    from_name: keptSenderName(wish.fromName, read.from, base.from_name),
    reply_to: given(read.replyTo, base.reply_to),
    ...read.audience,
  };
}

/** Without what the kind of audience does not use. @throws AppError VALIDATION_ERROR if it needs what is not there */
export function checkedAudience(wish: Pick<CampaignWish, "audienceType" | "segmentId" | "audienceCondition">) {
  return complete({
    audience_type: wish.audienceType ?? "ALL",
    audience_condition: asJson(wish.audienceCondition) ?? null,
    segment_id: wish.segmentId ?? null,
  });
}

/** null clears a field, undefined leaves it as it was. */
function given<Value>(wished: Value | undefined, before: Value): Value {
  return wished === undefined ? before : wished;
}

function asJson(value: CampaignWish["audienceCondition"]): string | null | undefined {
  return value ? JSON.stringify(value) : value;
}

/** The audience of a copy may be still to be chosen while its other fields are changed. */
function isNamed({ audienceType, segmentId, audienceCondition }: CampaignWish): boolean {
  return [audienceType, segmentId, audienceCondition].some((given) => given !== undefined);
}

function complete(audience: AudienceWish): AudienceWish {
  const { audience_type, segment_id, audience_condition } = audience;
  const isMissing = { ALL: false, SEGMENT: !segment_id, FILTERED: !audience_condition }[audience_type];
  const field = audience_type === "SEGMENT" ? "segmentId" : "audienceCondition";
  if (isMissing) throw invalidField(field, `The audience ${audience_type} needs this.`, "required");
  return {
    audience_type,
    segment_id: audience_type === "SEGMENT" ? segment_id : null,
    audience_condition: audience_type === "FILTERED" ? audience_condition : null,
  };
}
