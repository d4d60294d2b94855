// A segment in the API.
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { updatedByShape } from "../../tenant/access/saving-shape.ts";
import { conditionRecord, conditionShape } from "./condition/record.ts";
import type { Segment } from "./queries.ts";

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
    updatedBy: updatedByShape,
  },
  { title: "Segment" },
);

/** `memberCount`: the current count (members.ts). */
export function segmentRecord(segment: Segment, memberCount: number, workspaceId: string): typeof segmentShape.static {
  const { id, name, slug, description, type, trackMembership, createdAt, updatedAt, updatedBy } = segment;
  const condition = conditionRecord(segment.condition);
  const own = { id, name, slug, description, type, condition, trackMembership };
  return { ...own, memberCount, projectId: workspaceId, createdAt, updatedAt, updatedBy };
}
