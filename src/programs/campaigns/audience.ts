// The audience of a campaign, and which of its people get the campaign (docs/campaigns.md).
import { iso } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import {
  previewOf,
  type SegmentPreview,
  type PreviewInput,
  type PreviewAudience,
} from "../../audience/segments/preview.ts";
import { acceptCondition, matchingNow, membersNow } from "../../audience/segments/references.ts";
import { findSegment } from "../../audience/segments/segment.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader, Store } from "../../store/store.ts";
import { isOfSuppressedDomain } from "../../audience/suppressions/domain-queries.ts";
import { isForTopic, refuseUnknownTopic, topicMeant } from "../../audience/topics/mail.ts";
import type { Audience } from "./audience-queries.ts";
import type { AudienceInput, TopicalAudience } from "./fields.ts";
import { campaignById, type CampaignFields, type Repeats } from "./queries.ts";
import { wereRecipients } from "./recipients/recipient-states.ts";

type AudienceFields = Pick<CampaignFields, keyof AudienceInput>;
type AudienceChoice = AudienceFields & Partial<Pick<CampaignFields, "topic">> & { readonly repeats?: Repeats | null };

export type AcceptedAudience = {
  readonly audience: AudienceFields;
  /** The segments that it needs. */
  readonly segments: readonly number[];
};

/**
 * The parsed condition, and the segments that it needs.
 * @throws AppError SEGMENT_NOT_FOUND, VALIDATION_ERROR with an item for each fault of the condition
 */
export async function acceptAudience(
  reader: Reader,
  workspace: number,
  { audienceType, segmentId, audienceCondition: given }: AudienceInput,
): Promise<AcceptedAudience> {
  const chosen = segmentId === null ? [] : [await findSegment(reader, workspace, segmentId)];
  const field = "audienceCondition";
  const accepted = given && (await acceptCondition(reader, workspace, given, { field }));
  return {
    audience: { audienceType, segmentId, audienceCondition: accepted && accepted.condition },
    segments: [...chosen.map(({ seq }) => seq), ...(accepted?.segments.values() ?? [])],
  };
}

/**
 * As acceptAudience, but a segment or condition that would be refused is left out, to be chosen again: a part of a
 * condition may match more people.
 */
export async function audienceStillThere(
  reader: Reader,
  workspace: number,
  input: AudienceInput,
): Promise<AcceptedAudience> {
  try {
    return await acceptAudience(reader, workspace, input);
  } catch (error) {
    const isRefused =
      error instanceof AppError && (error.code === "SEGMENT_NOT_FOUND" || error.code === "VALIDATION_ERROR");
    if (!isRefused) throw error;
    return {
      audience: { audienceType: input.audienceType, segmentId: null, audienceCondition: null },
      segments: [],
    };
  }
}

/**
 * As a condition over the contacts of the workspace; `nowMs` is the moment from which spans of time count.
 * @throws AppError NO_RECIPIENTS if the segment or the condition is still to be chosen
 */
export async function audienceOf(
  reader: Reader,
  workspace: number,
  fields: AudienceChoice,
  nowMs: number,
): Promise<Audience> {
  const condition = await conditionOf(reader, workspace, fields, nowMs);
  const topic = await topicOf(reader, workspace, fields);
  return {
    workspace,
    condition,
    topic,
    now: iso(nowMs),
    domains: await isOfSuppressedDomain(reader, workspace, nowMs),
  };
}

/**
 * The number of matching contacts, of those who would get mail, and of the others, each under its first reason.
 * @throws AppError as acceptAudience, and NO_RECIPIENTS as audienceOf
 */
export function previewAudience(
  store: Store,
  workspace: number,
  input: TopicalAudience & PreviewInput,
): Promise<SegmentPreview> {
  const nowMs = store.clock.nowMs();
  const readPreview = async (reader: Reader) => {
    const { audience } = await acceptAudience(reader, workspace, input);
    await refuseUnknownTopic(reader, workspace, input.topic ?? null);
    const topic = await topicOf(reader, workspace, input);
    const whom = await whomOf(reader, workspace, audience, nowMs);
    return previewOf(reader, store, { workspace, nowMs, whom, topic, input });
  };
  return store.read(readPreview, { longFor: workspace });
}

async function topicOf(
  reader: Reader,
  workspace: number,
  { topic }: Pick<AudienceChoice, "topic">,
): Promise<Sql | null> {
  return topic ? isForTopic(await topicMeant(reader, workspace, topic), reader.dialect) : null;
}

async function whomOf(
  reader: Reader,
  workspace: number,
  fields: AudienceFields,
  nowMs: number,
): Promise<PreviewAudience> {
  const { audienceType, audienceCondition: condition } = fields;
  if (audienceType === "FILTERED" && condition !== null) return { condition };
  return { matching: await conditionOf(reader, workspace, fields, nowMs) };
}

async function conditionOf(reader: Reader, workspace: number, fields: AudienceChoice, nowMs: number): Promise<Sql> {
  if (fields.repeats) return repeated(reader, workspace, fields.repeats);
  const { audienceType, segmentId, audienceCondition } = fields;
  if (audienceType === "ALL") return sql`1 = 1`;
  if (segmentId !== null) return membersNow(reader, await findSegment(reader, workspace, segmentId), nowMs);
  if (audienceCondition === null) throw notChosen(audienceType);
  return matchingNow(reader, workspace, audienceCondition, nowMs);
}

/** Empty for a deleted campaign. */
async function repeated(reader: Reader, workspace: number, { campaignId, states }: Repeats): Promise<Sql> {
  const campaign = await campaignById(reader, workspace, campaignId);
  return campaign === null ? sql`1 = 0` : wereRecipients(campaign, states);
}

function notChosen(type: "SEGMENT" | "FILTERED"): AppError {
  const [field, what] = type === "SEGMENT" ? ["segmentId", "segment"] : ["audienceCondition", "condition"];
  return new AppError("NO_RECIPIENTS", `The campaign has no audience: no ${what} is chosen.`, {
    suggestion: `Set ${field}, or another audienceType, with PUT /campaigns/{id}.`,
  });
}
