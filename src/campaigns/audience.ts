// Whom a campaign is meant for, and whom of them it will reach (interface-gaps.md §5 "audience-preview").
import { AppError } from "../errors.ts";
import { storedCondition } from "../segments/condition-check.ts";
import { segmentsNamed, type SegmentRow } from "../segments/queries.ts";
import { acceptCondition, matchingNow, membersNow } from "../segments/references.ts";
import { sql, type Sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";
import { checkedAudience, type AudienceWish, type CampaignWish } from "./fields.ts";
import { countAudience, type Audience } from "./recipient-queries.ts";

export type AcceptedAudience<Wish> = {
  readonly wish: Wish;
  /** The segments by which it is found. */
  readonly segments: readonly number[];
};

/**
 * Its condition as it is understood, and the segments that it needs.
 * @throws AppError SEGMENT_NOT_FOUND, VALIDATION_ERROR with an item for each fault of the condition
 */
export async function acceptAudience<Wish extends AudienceWish>(
  reader: Reader,
  workspace: number,
  wish: Wish,
): Promise<AcceptedAudience<Wish>> {
  const { segment_id, audience_condition: given } = wish;
  const chosen = segment_id === null ? [] : [await findSegment(reader, workspace, segment_id)];
  const field = "audienceCondition";
  const accepted = given === null ? null : await acceptCondition(reader, workspace, JSON.parse(given), { field });
  return {
    wish: { ...wish, audience_condition: accepted && JSON.stringify(accepted.condition) },
    segments: [...chosen.map(({ seq }) => seq), ...(accepted?.segments.values() ?? [])],
  };
}

/** As acceptAudience, but what it would refuse is left out, to be chosen anew: a condition as a whole, as a part may mean more people. */
export async function audienceStillThere<Wish extends AudienceWish>(
  reader: Reader,
  workspace: number,
  wish: Wish,
): Promise<AcceptedAudience<Wish>> {
  try {
    return await acceptAudience(reader, workspace, wish);
  } catch (error) {
    const isRefused =
      error instanceof AppError && (error.code === "SEGMENT_NOT_FOUND" || error.code === "VALIDATION_ERROR");
    if (!isRefused) throw error;
    return { wish: { ...wish, segment_id: null, audience_condition: null }, segments: [] };
  }
}

/** From a request. @throws as acceptAudience */
export async function readAudience(
  reader: Reader,
  workspace: number,
  wish: Pick<CampaignWish, "audienceType" | "segmentId" | "audienceCondition">,
): Promise<AudienceWish> {
  return (await acceptAudience(reader, workspace, checkedAudience(wish))).wish;
}

/**
 * As a condition over the contacts of the workspace; `nowMs` is the moment from which spans of time count.
 * @throws AppError NO_RECIPIENTS if the segment or the condition is still to be chosen
 */
export async function audienceOf(
  reader: Reader,
  workspace: number,
  wish: AudienceWish,
  nowMs: number,
): Promise<Audience> {
  return { workspace, condition: await conditionOf(reader, workspace, wish, nowMs) };
}

/** How many contacts match, how many of them would get mail, and why the others would not: each under its first reason. */
export async function previewAudience(reader: Reader, audience: Audience) {
  const { matched, ...excluded } = await countAudience(reader, audience);
  const { unsubscribed, pending, suppressed } = excluded;
  return { matched, willReceive: matched - unsubscribed - pending - suppressed, excluded };
}

async function conditionOf(reader: Reader, workspace: number, wish: AudienceWish, nowMs: number): Promise<Sql> {
  const { audience_type, segment_id, audience_condition } = wish;
  if (audience_type === "ALL") return sql`1 = 1`;
  if (segment_id !== null) return membersNow(reader, await findSegment(reader, workspace, segment_id), nowMs);
  if (audience_condition === null) throw notChosen(audience_type);
  return matchingNow(reader, workspace, storedCondition(audience_condition), nowMs);
}

function notChosen(type: "SEGMENT" | "FILTERED"): AppError {
  const [field, what] = type === "SEGMENT" ? ["segmentId", "a segment"] : ["audienceCondition", "a condition"];
  const message = `The campaign has no audience: it is for ${what}, and none is chosen.`;
  const suggestion = `Set ${field}, or another audienceType, with PUT /campaigns/{id}.`;
  return new AppError("NO_RECIPIENTS", message, { suggestion });
}

async function findSegment(reader: Reader, workspace: number, id: string): Promise<SegmentRow> {
  const [segment] = await segmentsNamed(reader, workspace, [id]);
  if (!segment) throw new AppError("SEGMENT_NOT_FOUND", `There is no segment ${id}.`);
  return segment;
}
