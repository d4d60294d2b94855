// The fields of a campaign from callers: checked, and all faults reported together.
import { invalidField, readAll } from "../../base/errors.ts";
import { given, writtenAfter, type WrittenInput } from "../../content/templates/written.ts";
import type { SaveTerms } from "../../tenant/access/saving.ts";
import type { AudienceType, CampaignFields } from "./queries.ts";

export type CampaignInput = SaveTerms &
  WrittenInput & {
    readonly name?: string | null;
    readonly description?: string | null;
    readonly audienceType?: AudienceType | null;
    readonly audienceCondition?: Readonly<Record<string, unknown>> | null;
    readonly segmentId?: string | null;
  };

/** `audienceCondition`: not checked yet. */
export type AudienceInput = Pick<CampaignFields, "audienceType" | "segmentId"> & {
  readonly audienceCondition: object | null;
};
/** With the topic of the mail, which leaves out some of the audience. */
export type TopicalAudience = AudienceInput & Partial<Pick<CampaignFields, "topic">>;
export type UncheckedFields = Omit<CampaignFields, keyof AudienceInput> & AudienceInput;

/**
 * The segment and the condition are checked in audience.ts. `mayBeOpen`: they may be null, still to be chosen. @throws
 * AppError VALIDATION_ERROR with an item for each field that cannot be kept
 */
export function checkedFields(base: CampaignFields, input: CampaignInput, { mayBeOpen = false } = {}): UncheckedFields {
  const audience = {
    audienceType: input.audienceType ?? base.audienceType,
    audienceCondition: given<object | null>(input.audienceCondition, base.audienceCondition),
    segmentId: given(input.segmentId, base.segmentId),
  };
  const read = readAll({
    written: () => writtenAfter(base, input),
    audience: () => (isNamed(input) ? complete(audience, mayBeOpen && isOpen(input)) : audience),
  });
  return {
    ...read.written,
    // A campaign always has a sender: null leaves it as it was.
    fromAddress: read.written.fromAddress ?? base.fromAddress,
    name: input.name ?? base.name,
    description: given(input.description, base.description),
    updatedBy: input.by ?? base.updatedBy,
    ...read.audience,
  };
}

/** Without the fields that another kind of audience uses. @throws AppError VALIDATION_ERROR if a field is missing */
export function checkedAudience({
  audienceType,
  audienceCondition,
  segmentId,
  topic = null,
}: CampaignInput): TopicalAudience {
  const audience = complete({
    audienceType: audienceType ?? "ALL",
    audienceCondition: audienceCondition ?? null,
    segmentId: segmentId ?? null,
  });
  return { ...audience, topic };
}

/** The audience of a copy may still be missing while its other fields are changed. */
function isNamed({ audienceType, segmentId, audienceCondition }: CampaignInput): boolean {
  return [audienceType, segmentId, audienceCondition].some((given) => given !== undefined);
}

/** The input states that its segment or condition is still to be chosen. */
function isOpen({ segmentId, audienceCondition }: CampaignInput): boolean {
  return segmentId === null || audienceCondition === null;
}

function complete({ audienceType, segmentId, audienceCondition }: AudienceInput, mayBeOpen = false): AudienceInput {
  const isMissing = { ALL: false, SEGMENT: !segmentId, FILTERED: !audienceCondition }[audienceType];
  const field = audienceType === "SEGMENT" ? "segmentId" : "audienceCondition";
  if (isMissing && !mayBeOpen) throw invalidField(field, `The audience ${audienceType} needs this.`, "required");
  return {
    audienceType,
    segmentId: audienceType === "SEGMENT" ? segmentId : null,
    audienceCondition: audienceType === "FILTERED" ? audienceCondition : null,
  };
}
