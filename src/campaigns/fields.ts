// The fields of a campaign as callers send them, checked for what they mean, all faults told at once (interface-gaps.md §5).
import { parseAddress } from "../addresses.ts";
import { invalidFields, type FieldError } from "../errors.ts";
import { syntaxErrors } from "../templates/template.ts";
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
  const errors: FieldError[] = [];
  const fields = {
    name: wish.name ?? base.name,
    description: given(wish.description, base.description),
    subject: wish.subject ?? base.subject,
    body: wish.body ?? base.body,
    text: given(wish.text, base.text),
    from_address: address("from", wish.from, errors) ?? base.from_address,
    from_name: given(wish.fromName, base.from_name),
    reply_to: given(address("replyTo", wish.replyTo, errors), base.reply_to),
    audience_type: wish.audienceType ?? base.audience_type,
    audience_condition: given(asJson(wish.audienceCondition), base.audience_condition),
    segment_id: given(wish.segmentId, base.segment_id),
  };
  errors.push(...syntaxErrors(wish), ...missing(fields));
  if (errors.length > 0) throw invalidFields(errors);
  return fields;
}

/** @throws AppError VALIDATION_ERROR if the kind of audience needs what is not there */
export function checkedAudience(wish: Pick<CampaignWish, "audienceType" | "segmentId" | "audienceCondition">) {
  const fields: AudienceWish = {
    audience_type: wish.audienceType ?? "ALL",
    audience_condition: asJson(wish.audienceCondition) ?? null,
    segment_id: wish.segmentId ?? null,
  };
  const errors = missing(fields);
  if (errors.length > 0) throw invalidFields(errors);
  return fields;
}

/** null clears a field, undefined leaves it as it was. */
function given<Value>(wished: Value | undefined, before: Value): Value {
  return wished === undefined ? before : wished;
}

function asJson(value: CampaignWish["audienceCondition"]): string | null | undefined {
  return value ? JSON.stringify(value) : value;
}

function address(field: string, text: string | null | undefined, errors: FieldError[]): string | null | undefined {
  if (!text) return text === undefined ? undefined : null;
  const address = parseAddress(text);
  if (!address) errors.push({ field, message: "This is not an e-mail address.", code: "invalid_email" });
  return address;
}

function missing({ audience_type, segment_id, audience_condition }: AudienceWish): FieldError[] {
  const field =
    audience_type === "SEGMENT" && !segment_id
      ? "segmentId"
      : audience_type === "FILTERED" && !audience_condition
        ? "audienceCondition"
        : null;
  return field ? [{ field, message: `The audience ${audience_type} needs this.`, code: "required" }] : [];
}
