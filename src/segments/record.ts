// A segment as the interface shows it (interface.md "Segment").
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { conditionRecord, conditionShape } from "./condition-record.ts";
import type { SegmentRow } from "./queries.ts";

export const segmentTypeShape = oneOf("STATIC", "DYNAMIC");

export const segmentShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    slug: t.String({ description: "Part of the names of its events: segment.<slug>.entry and .exit." }),
    description: nullable(t.String()),
    type: segmentTypeShape,
    condition: nullable(conditionShape),
    trackMembership: t.Boolean(),
    memberCount: countShape,
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "Segment" },
);

/** `memberCount`: as it is at this moment (members.ts). */
export function segmentRecord(
  segment: SegmentRow,
  memberCount: number,
  workspaceId: string,
): typeof segmentShape.static {
  return {
    id: segment.id,
    name: segment.name,
    slug: segment.slug,
    description: segment.description,
    type: segment.type,
    condition: conditionRecord(segment.condition),
    trackMembership: segment.track_membership === 1,
    memberCount,
    projectId: workspaceId,
    createdAt: segment.created_at,
    updatedAt: segment.updated_at,
  };
}
