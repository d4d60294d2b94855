// The history and the uses of a segment: its size over time, and the objects that refer to it.
import { t } from "elysia";
import type { Clock } from "../../base/clock.ts";
import { countShape, idShape } from "../../http/answer-shapes.ts";
import { parameter, wholeNumber } from "../../http/schemas.ts";
import { get } from "../../tenant/access/route-table.ts";
import { findSegment } from "./segment.ts";
import { MAX_DAYS, sizesOf } from "./sizes.ts";
import { usesOf } from "./uses.ts";

const DEFAULT_DAYS = 90;
const named = { id: idShape, name: t.String() };

export function pastRoutes(clock: Clock) {
  return [
    get(
      "/segments/:id/growth",
      {
        name: "getSegmentGrowth",
        summary: "Get the size of a segment, day by day",
        answers: {
          200: t.Object(
            { sizes: t.Array(t.Object({ day: t.String({ description: "`2026-03-01`." }), members: countShape })) },
            { title: "SegmentGrowth" },
          ),
        },
        permission: "read",
        query: t.Object({ days: parameter(wholeNumber(1, MAX_DAYS, DEFAULT_DAYS), "How many days back.") }),
        refuses: ["SEGMENT_NOT_FOUND"],
        description: "Counted once a day, soon after midnight in UTC, and on the day when the segment was made.",
      },
      async (reader, { params, query, caller }) => {
        const segment = await findSegment(reader, caller.workspace, params.id);
        return { sizes: await sizesOf(reader, segment, query.days ?? DEFAULT_DAYS, clock.nowMs()) };
      },
    ),
    get(
      "/segments/:id/uses",
      {
        name: "getSegmentUses",
        summary: "List what uses a segment",
        answers: {
          200: t.Object(
            {
              campaigns: t.Array(t.Object({ ...named, status: t.String() }), {
                description: "Those that are not sent.",
              }),
              workflows: t.Array(t.Object({ ...named, enabled: t.Boolean() }), {
                description:
                  "Those that listen to its events, start its members by a schedule, or have a step whose condition names it.",
              }),
              segments: t.Array(t.Object(named), { description: "Those whose condition names it." }),
              forms: t.Array(t.Object(named), { description: "Those whose people join it." }),
            },
            { title: "SegmentUses" },
          ),
        },
        permission: "read",
        refuses: ["SEGMENT_NOT_FOUND"],
        description: "Up to 100 of each.",
      },
      async (reader, { params, caller }) => usesOf(reader, await findSegment(reader, caller.workspace, params.id)),
    ),
  ];
}
