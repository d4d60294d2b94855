// The fields of a campaign as callers send them: checked, and all faults reported at once.
import { invalidField, readAll } from "../errors.ts";
import { keptSenderName, optionalMailbox, optionalReplyTo } from "../http/address-field.ts";
import { designAfter } from "../templates/design.ts";
import { type Design } from "../templates/design-shape.ts";
import { readSource } from "../templates/template.ts";
import type { Saving } from "../workspaces/saving.ts";
import type { AudienceType, CampaignFields } from "./queries.ts";

export type CampaignInput = Saving & {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly subject?: string | null;
  readonly preheader?: string | null;
  readonly body?: string | null;
  readonly text?: string | null;
  readonly from?: string | null;
  readonly fromName?: string | null;
  readonly replyTo?: string | null;
  readonly design?: Design | null;
  readonly audienceType?: AudienceType | null;
  readonly audienceCondition?: Readonly<Record<string, unknown>> | null;
  readonly segmentId?: string | null;
};

/** `audienceCondition`: not checked yet. */
export type AudienceInput = Pick<CampaignFields, "audienceType" | "segmentId"> & {
  readonly audienceCondition: object | null;
};
export type UncheckedFields = Omit<CampaignFields, keyof AudienceInput> & AudienceInput;

/** Whether the segment exists, and what the condition means, is checked in audience.ts. @throws AppError VALIDATION_ERROR with an item for each field that cannot be kept */
export function checkedFields(base: CampaignFields, input: CampaignInput): UncheckedFields {
  const audience = {
    audienceType: input.audienceType ?? base.audienceType,
    audienceCondition: given<object | null>(input.audienceCondition, base.audienceCondition),
    segmentId: given(input.segmentId, base.segmentId),
  };
  const read = readAll({
    from: () => optionalMailbox("from", input.from),
    replyTo: () => optionalReplyTo("replyTo", input.replyTo),
    subject: () => readSource("subject", input.subject),
    preheader: () => readSource("preheader", input.preheader),
    body: () => readSource("body", input.body),
    text: () => readSource("text", input.text),
    design: () => designAfter(base, input),
    audience: () => (isNamed(input) ? complete(audience) : audience),
  });
  return {
    name: input.name ?? base.name,
    description: given(input.description, base.description),
    subject: read.subject ?? base.subject,
    preheader: given(read.preheader, base.preheader) || null,
    body: read.body ?? base.body,
    text: given(read.text, base.text),
    fromAddress: read.from?.address ?? base.fromAddress,
    fromName: keptSenderName(input.fromName, read.from, base.fromName),
    replyTo: given(read.replyTo, base.replyTo),
    design: read.design,
    updatedBy: input.by ?? base.updatedBy,
    ...read.audience,
  };
}

/** Without the fields that another kind of audience uses. @throws AppError VALIDATION_ERROR if a field is missing */
export function checkedAudience({ audienceType, audienceCondition, segmentId }: CampaignInput): AudienceInput {
  return complete({
    audienceType: audienceType ?? "ALL",
    audienceCondition: audienceCondition ?? null,
    segmentId: segmentId ?? null,
  });
}

/** null clears a field, undefined leaves it as it was. */
function given<Value>(value: Value | undefined, before: Value): Value {
  return value === undefined ? before : value;
}

/** The audience of a copy may still be missing while its other fields are changed. */
function isNamed({ audienceType, segmentId, audienceCondition }: CampaignInput): boolean {
  return [audienceType, segmentId, audienceCondition].some((given) => given !== undefined);
}

function complete({ audienceType, segmentId, audienceCondition }: AudienceInput): AudienceInput {
  const isMissing = { ALL: false, SEGMENT: !segmentId, FILTERED: !audienceCondition }[audienceType];
  const field = audienceType === "SEGMENT" ? "segmentId" : "audienceCondition";
  if (isMissing) throw invalidField(field, `The audience ${audienceType} needs this.`, "required");
  return {
    audienceType,
    segmentId: audienceType === "SEGMENT" ? segmentId : null,
    audienceCondition: audienceType === "FILTERED" ? audienceCondition : null,
  };
}
